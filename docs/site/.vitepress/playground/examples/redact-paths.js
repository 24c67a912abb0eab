import { createLogger } from 'sluice'

const log = createLogger({
  redact: {
    paths: ['user.ssn', 'items[*].serial', '**.pin'],
    keys: ['password', /token$/i],
  },
})

log.info('signed in', {
  user: { name: 'Ann', ssn: '078-05-1120', pin: '1234' },
  items: [{ sku: 'a-1', serial: 'X9-77' }],
  login: { password: 'hunter2', accessToken: 'abc', remember: true },
  // Credential headers are redacted without a rule.
  headers: { accept: 'text/html', cookie: 'SID=31d4' },
})
