panel=http://localhost:3000

# Get a guest's session and its CSRF token.
curl -sS -c cookies.txt $panel/svc/api/csrf-cookie
token=$(awk '$6 == "XSRF-TOKEN" { print $7 }' cookies.txt)

# Log in. Session and token change.
curl -sS -b cookies.txt -c cookies.txt -H "X-XSRF-TOKEN: $token" -H 'Content-Type: application/json' \
  -d '{"email":"ada@example.com","password":"correct horse battery staple"}' $panel/svc/api/login
token=$(awk '$6 == "XSRF-TOKEN" { print $7 }' cookies.txt)

# Show the user, and log out.
curl -sS -b cookies.txt $panel/svc/api/user
curl -sS -b cookies.txt -c cookies.txt -H "X-XSRF-TOKEN: $token" -X POST $panel/svc/api/logout
curl -sS -b cookies.txt $panel/svc/api/user
