package redact

// codeFor returns the code of a rule of kind c.
func codeFor(id string) func(e *Engine, rule int32, start, end int) {
	switch id {
	case ruleAssignedKey, ruleAssignedToken, ruleAssignedSecret, ruleAssignedPassword:
		return (*Engine).assignment
	case "url-credentials":
		return (*Engine).urlCredentials
	case "private-key":
		return (*Engine).privateKey
	case "putty-private-key":
		return (*Engine).puttyKey
	case "jwt":
		return (*Engine).jwt
	case "authorization":
		return (*Engine).authorization
	case "cookie":
		return (*Engine).cookie
	case "foreign-password":
		return (*Engine).foreignPassword
	case "foreign-token":
		return (*Engine).foreignToken
	case "kubernetes-secret":
		return (*Engine).manifest
	case "key-object":
		return (*Engine).keyObject
	case "recovery-phrase":
		return (*Engine).phrase
	case "encoded-token":
		return (*Engine).encodedToken
	}
	return nil
}

// The rules that assignments are reported under, by what the name promises.
const (
	ruleAssignedKey      = "assigned-key"
	ruleAssignedToken    = "assigned-token"
	ruleAssignedSecret   = "assigned-secret"
	ruleAssignedPassword = "assigned-password"
)

// The rules that passwords of commands are reported under: alone, and behind a user's name.
const (
	ruleCommandOption = "command-option"
	ruleCommandUser   = "command-user"
)
