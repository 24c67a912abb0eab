import { createLogger } from 'sluice'

const log = createLogger()

const node = { name: 'root' }
node.self = node

log.info('values that JSON.stringify rejects or loses', {
  cycle: node,
  big: 12345678901234567890n,
  missing: undefined,
  notANumber: NaN,
  map: new Map([['a', 1]]),
  set: new Set(['x', 'y']),
  bytes: new Uint8Array([1, 2, 3]),
  get broken() {
    throw new TypeError('no such row')
  },
  toText: { toJSON: () => 'by toJSON' },
  date: new Date(0),
})

// A record is serialized in the log call: later changes have no effect.
const order = { state: 'new' }
log.info('order', { order })
order.state = 'changed'

log.info('<script>alert("text, not HTML")</script>')
