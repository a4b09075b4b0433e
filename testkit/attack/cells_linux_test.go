package attack_test

func cells() []input { return nil }
