// All errors in the options are reported at once, when the logger is created.
import { createLogger, ConfigurationError } from 'sluice'

const configuration = `{
  "level": "loud",
  "redact": ["users[*].email", "card..number"],
  "limits": { "depth": 0 },
  "exitTimeoutMilis": 500
}`

try {
  createLogger(JSON.parse(configuration))
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error
  for (const { code, path, position, message } of error.problems) {
    console.log(`${path}${position === undefined ? '' : ` at ${position}`}: ${message} (${code})`)
  }
}
