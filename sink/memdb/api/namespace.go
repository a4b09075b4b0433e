package api

// Namespace is a set of memories with its own ids and rights, for example of a team or a
// project.
type Namespace struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	CreatedAt   string `json:"created_at"`
	UpdatedAt   string `json:"updated_at"`
}

// Validate implements [Wire].
func (n *Namespace) Validate() error {
	var c check
	c.namespace("/name", n.Name)
	c.text("/description", n.Description, 0, maxText)
	if n.CreatedAt == "" || n.UpdatedAt == "" {
		c.add("/created_at", "is missing")
	}
	c.time("/created_at", n.CreatedAt)
	c.time("/updated_at", n.UpdatedAt)
	return c.err()
}

// NamespacePut is the wanted state of a namespace, which is created if it does not exist.
type NamespacePut struct {
	Description string `json:"description,omitempty"`
}

// Validate implements [Wire].
func (n *NamespacePut) Validate() error {
	var c check
	c.text("/description", n.Description, 0, maxText)
	return c.err()
}

// NamespacePatch has the fields of a namespace that are to be changed; nil leaves a field.
type NamespacePatch struct {
	Description *string `json:"description,omitempty"`
}

// Validate implements [Wire].
func (n *NamespacePatch) Validate() error {
	var c check
	if n.Description == nil {
		c.add("", "changes nothing")
		return c.err()
	}
	c.text("/description", *n.Description, 0, maxText)
	return c.err()
}
