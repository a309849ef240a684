module grammar

go 1.25.0

require github.com/sqlc-dev/teesql v1.1.0
