/** The rules and the sample that the redaction tester shows first. */
export const sampleRules = `{
  paths: ['user.ssn', '**.pin'],
  keys: ['password', /token$/i],
  patterns: ['email', { name: 'order', pattern: /ORD-\\d{6}/ }],
}`

export const sampleValue = `{
  "user": { "name": "Ann", "ssn": "078-05-1120", "pin": "1234" },
  "login": { "password": "hunter2", "accessToken": "abc" },
  "note": "mail to ann@example.com about ORD-123456",
  "headers": { "accept": "text/html", "cookie": "SID=31d4" }
}`
