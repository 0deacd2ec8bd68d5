module gemini-search

go 1.26
