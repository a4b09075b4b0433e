package setup

import (
	"github.com/memscribe/memscribe/internal/config"
	"github.com/memscribe/memscribe/sink/memdb/embed/gateway"
)

// Embeddings are the settings of the gateway that makes vectors of memories. The texts of memories
// are sent to it, and leave this machine if it is on another one.
type Embeddings struct {
	URL      string // "" means that there are no vectors
	Model    string
	KeyFile  string // "" if the gateway needs no key
	Required bool
	Insecure bool
}

const embeddings = "memdb.embeddings"

// embeddingKeys returns the settings of embeddings.
func embeddingKeys() []config.Key {
	return []config.Key{
		{Name: embeddings + ".url", About: "a gateway that makes embeddings of memories (OpenAI's /v1/embeddings): what memories say is sent there; counts only in your own file of settings", Example: `"http://127.0.0.1:11434/v1"`},
		{Name: embeddings + ".model", About: "of the gateway", Example: `"nomic-embed-text"`},
		{Name: embeddings + ".key_file", About: "file with the key that the gateway wants, which only you may read", Example: `"~/.config/memscribe/gateway.key"`},
		{Name: embeddings + ".required", Kind: config.Bool, About: "refuse a memory while no embedding can be had; otherwise it gets one later", Default: "false"},
		{Name: embeddings + ".insecure", Kind: config.Bool, About: "send what memories say to another machine without TLS", Default: "false"},
	}
}

// Embeddings returns the gateway of the settings.
func (s *Setup) Embeddings() Embeddings {
	d := s.Settings.File
	if d == nil {
		return Embeddings{}
	}
	e, _ := s.readEmbeddings(d)
	return e
}

// readEmbeddings reads the gateway of a file. The problem is a key file whose path cannot be
// resolved.
func (s *Setup) readEmbeddings(d *config.Document) (Embeddings, config.Problems) {
	e := Embeddings{
		URL: d.Text(embeddings + ".url"), Model: d.Text(embeddings + ".model"),
		Required: d.Flag(embeddings + ".required"), Insecure: d.Flag(embeddings + ".insecure"),
	}
	settings := config.Settings{File: d, Home: s.Home}
	var err error
	if e.KeyFile, err = settings.Path(d.Text(embeddings + ".key_file")); err != nil {
		return e, config.Problems{d.Problem(embeddings+".key_file", "%s.key_file: %v", embeddings, err)}
	}
	return e, nil
}

// checkEmbeddings returns what is wrong with the gateway of a file. A settings file in a working
// folder may come from another person, so it must not decide where memories are sent.
func (s *Setup) checkEmbeddings(d *config.Document) config.Problems {
	if !d.Has(embeddings) {
		return nil
	}
	if own, err := s.OwnFile(); err != nil || !sameFile(own, d.Name) {
		p := d.Problem(embeddings, "where memories are sent stands in your own file of settings alone")
		p.Hint = "memscribe config show names the file that is read"
		return config.Problems{p}
	}
	e, found := s.readEmbeddings(d)
	g, err := gateway.New(gateway.Options{URL: e.URL, Model: e.Model, Insecure: e.Insecure})
	if err != nil {
		return append(found, d.Problem(embeddings+".url", "%s: %v", embeddings, err))
	}
	g.Close()
	return found
}
