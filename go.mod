module cdcseed

go 1.25.0
