// A typical application: `node application.js exit|end|throw` specifies how it ends.
import { createLogger, withContext } from 'sluice'

const log = createLogger({ name: 'application', redact: { paths: ['card.number'], keys: [/token/i] } })
for (let seq = 0; seq < 2_000; seq++) {
  log.info('order {seq} placed', { seq, card: { number: 'canary' }, headers: { authorization: 'canary' } })
}
withContext({ tenant: 'acme' }, () => log.child({ requestId: 'r-17' }).warn('%s took %d ms', 'payment', 1240))
log.error('could not charge', { userToken: 'canary' }, new TypeError('card declined'))
const { emitted, written, queued, unknown, dropped } = log.stats()
log.info('statistics', { emitted, sum: written + queued + unknown + dropped.total })

const [, , end] = process.argv
if (end === 'exit') process.exit(3)
if (end === 'throw') throw new Error('the end')
