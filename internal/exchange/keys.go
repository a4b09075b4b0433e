package exchange

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// keysOf returns the keys that the environment has, unless a profile is asked for by name; else
// those of the profile in the file of credentials of the AWS tools.
func keysOf(profile string, getenv func(string) string) (aws.Credentials, error) {
	if id := getenv("AWS_ACCESS_KEY_ID"); id != "" && profile == "" {
		return aws.Credentials{AccessKeyID: id, SecretAccessKey: getenv("AWS_SECRET_ACCESS_KEY"), SessionToken: getenv("AWS_SESSION_TOKEN")}, nil
	}
	name := getenv("AWS_SHARED_CREDENTIALS_FILE")
	if name == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return aws.Credentials{}, err
		}
		name = filepath.Join(home, ".aws", "credentials")
	}
	profile = cmp.Or(profile, getenv("AWS_PROFILE"), "default")
	file, err := os.Open(name)
	if err != nil {
		return aws.Credentials{}, fmt.Errorf("no keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, nor in the file of credentials: %w", err)
	}
	defer file.Close()
	keys, err := readProfile(file, profile)
	if err == nil && (keys.AccessKeyID == "" || keys.SecretAccessKey == "") {
		err = fmt.Errorf("profile %s has no aws_access_key_id and aws_secret_access_key", profile)
	}
	if err != nil {
		return aws.Credentials{}, fmt.Errorf("file of credentials %s: %w", name, err)
	}
	return keys, nil
}

// readProfile reads the keys of one profile: what stands below [profile], as name = value. The
// last one of a name counts.
//
// Only the file of credentials is read; profiles that name a role or a process have no
// keys here and are an error.
func readProfile(r io.Reader, profile string) (keys aws.Credentials, err error) {
	const mostBytes = 1 << 20
	within := false
	lines := bufio.NewScanner(io.LimitReader(r, mostBytes+1))
	read := 0
	for lines.Scan() {
		read += len(lines.Bytes()) + 1
		line := strings.TrimSpace(lines.Text())
		if title, isTitle := strings.CutPrefix(line, "["); isTitle {
			title, _, _ = strings.Cut(title, "]")
			within = strings.TrimSpace(title) == profile
			continue
		}
		name, value, found := strings.Cut(line, "=")
		if !within || !found {
			continue
		}
		value = strings.TrimSpace(value)
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "aws_access_key_id":
			keys.AccessKeyID = value
		case "aws_secret_access_key":
			keys.SecretAccessKey = value
		case "aws_session_token":
			keys.SessionToken = value
		}
	}
	if read > mostBytes {
		return keys, errors.New("it has more than a mebibyte")
	}
	return keys, lines.Err()
}
