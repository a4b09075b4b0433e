package api

// Namespace is a space of memories, as for a team or a project.
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

// NamespacePut is what a namespace shall be.
type NamespacePut struct {
	Description string `json:"description,omitempty"`
}

// Validate implements [Wire].
func (n *NamespacePut) Validate() error {
	var c check
	c.text("/description", n.Description, 0, maxText)
	return c.err()
}

// NamespacePatch is what shall change of a namespace.
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
