package speed_test

// What a generated session is made of.
var (
	prompts = []string{
		"Let's use Postgres instead of MySQL for the orders service.",
		"Please add a health check to the server and a test for it.",
		"Why is the list of orders so slow?",
		"Never touch the vendored files.",
		"continue",
		"The test still fails with a timeout, have a look at the logs please.",
	}
	things = []string{"Postgres", "SQLite", "Redis", "Kafka", "gRPC", "JSON lines", "a ring buffer", "cursor pagination", "OAuth", "slog"}
	parts  = []string{"orders", "the queue", "the logs", "accounts", "the search", "the cache", "sessions", "invoices"}
	files  = []string{"main.go", "internal/store/store.go", "web/src/list.tsx", "README.md", "pkg/api/handler.go"}

	sentences = []string{
		"The handler reads the whole body before it checks the length.",
		"I will move the check in front of it and return 413 when it is too long.",
		"`store.Open` is called twice, once by the test and once by the server itself.",
		"There are three places that build the same query by hand.",
		"That explains the timeout: the second call waits for the lock of the first.",
	}
	codeLines = []string{
		"func (s *Store) Open(ctx context.Context, path string) (*DB, error) {",
		"\tdb, err := sql.Open(\"sqlite\", path+\"?_pragma=busy_timeout(5000)\")",
		"\tif err != nil {",
		"\t\treturn nil, fmt.Errorf(\"open %q: %w\", path, err)",
		"\t}",
		"",
		"     12→  const rows = await query('SELECT * FROM orders WHERE id = ?', [id]);",
		"ok  \tgithub.com/acme/app/internal/store\t0.412s",
		"-  return rows.map((r) => ({ ...r, total: r.cents / 100 }));",
	}
)
