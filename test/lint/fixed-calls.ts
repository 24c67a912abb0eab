/** A log call whose message is built from values, as in real programs. */
export interface FixedCall {
  /** The title, which is a noun phrase. */
  readonly what: string
  readonly code: string
  /** Whether the message can be written with names. */
  readonly isChanged: boolean
  /** Whether a linter can apply the change without a question. */
  readonly isFixed?: boolean
  /** Whether the change reads a member once that the call reads twice. */
  readonly readsOnce?: boolean
}

/** Variables of the calls, in TypeScript. Reads of members of `user`, `order` and `items`, and calls of `count`, are recorded. */
export const fixedCallVariables = String.raw`
const region = 'eu'
const retries = 3
const ratio = -0
const huge = 1e21
const isPaid = true
const plan = 'pro'
const quoted = 'it\'s "x" \\ \n {y} %s'
const escaped = 'it\'s "x" \\ \n'
const user = recorded('user', { id: 7, name: 'Ann', email: { domain: 'a.example' } })
const order = recorded('order', { id: 9, total: 12.5 })
const items = recorded('items', { length: 2, first: 'a' })
const err = new TypeError('declined')
`

const call = (what: string, code: string): FixedCall => ({ what, code, isChanged: true })
const fixed = (what: string, code: string): FixedCall => ({ what, code, isChanged: true, isFixed: true })
const unchanged = (what: string, code: string): FixedCall => ({ what, code, isChanged: false })

/** Log calls as in real programs. */
export const fixedCalls: readonly FixedCall[] = [
  fixed('a constant', 'log.info(`started in ${region}`)'),
  fixed('several constants', 'log.info(`started in ${region} after ${retries} retries, paid: ${isPaid}`)'),
  fixed('a concatenation of constants', "log.info('started in ' + region + ' after ' + retries)"),
  fixed('numbers with special texts', 'log.info(`${ratio} ${huge}`)'),
  fixed('a constant with quotes', 'log.info(`got ${escaped}`)'),
  call('a constant with braces', 'log.info(`got ${quoted}`)'),
  fixed('a constant twice', 'log.info(`${region} and ${region}`)'),
  fixed('a constant that is an attribute already', 'log.info(`in ${region}`, { region })'),
  fixed('a constant before attributes with calls', 'log.info(`in ${region}`, { a: count(), b: count() })'),
  fixed('a constant after attributes with calls', 'log.info({ a: count() }, `in ${region}`)'),
  fixed('a constant before an error', 'log.error(`failed in ${region}`, err)'),
  fixed('a constant after an error', 'log.error(err, `failed in ${region}`)'),
  fixed('a constant in a lazy call', 'log.info(() => `in ${region}`)'),
  fixed('a constant in a lazy call with attributes', 'log.info(() => [`in ${region}`, { a: count() }])'),
  fixed('a nested template literal', 'log.info(`${`in ${region}`} after ${retries}`)'),
  fixed('text on several lines', 'log.info(`in\n  ${region}\n  after ${\n    retries\n  }`)'),
  call('a member', 'log.info(`user ${user.id} signed in`)'),
  call('a nested member', 'log.info(`domain ${user.email.domain}`)'),
  call('an optional member', 'log.info(`user ${user?.id} signed in`)'),
  call('members with the same name', 'log.info(`user ${user.id} placed ${order.id} of ${order.total}`)'),
  call('a member before attributes with calls', 'log.info(`user ${user.id}`, { a: count(), b: order.id })'),
  call('a member after attributes with calls', 'log.info({ a: count(), b: order.id }, `user ${user.id}`)'),
  call('a member and a trailing comma', 'log.info(`user ${user.id}`, { plan, },)'),
  call('a member and empty attributes', 'log.info(`user ${user.id}`, {})'),
  call('a member and an attribute of the same name', 'log.info(`user ${user.id}`, { id: order.id })'),
  call('a member and a quoted attribute', "log.info(`user ${user.id}`, { 'order.id': order.id })"),
  call('a member and a computed value', 'log.info(`user ${user.id}`, { a: order.id + count() })'),
  call('a length', 'log.info(`${items.length} items, first ${items.first}`)'),
  call('a member as JSON', 'log.info(`total ${JSON.stringify(order.total)}`)'),
  call('a member and an error', 'log.error(`user ${user.id} failed`, err)'),
  call('an error after its message and attributes', 'log.error(`user ${user.id} failed`, { plan }, err)'),
  { ...call('a member twice', 'log.info(`${user.id} is ${user.id}`)'), readsOnce: true },
  { ...call('a member that is an attribute already', 'log.info(`user ${user.id}`, { id: user.id })'), readsOnce: true },
  unchanged('a call', 'log.info(`${count()} items`)'),
  unchanged('a call with a member', 'log.info(`user ${user.id} has ${count()} items`)'),
  unchanged('a sum', 'log.info(`${user.id + 1} items`)'),
  unchanged('an assignment', 'let a = 0; log.info(`${(a = 5)} items`)'),
  unchanged('an increment', 'let a = 0; log.info(`${a++} items`)'),
  unchanged('a conditional expression', 'log.info(`${isPaid ? user.id : order.id}`)'),
  unchanged('a computed member', "log.info(`${user['id']}`)"),
  unchanged('a tagged template', 'log.info(String.raw`user ${user.id}`)'),
  unchanged('a template literal in a call', 'log.info(`${String(`${user.id}`)}`)'),
  unchanged('text with braces', 'log.info(`{user} ${user.id}`)'),
  unchanged('text with a percent sign', 'log.info(`100 % of ${user.id}`)'),
  unchanged('a message in parentheses', 'log.info((`user ${user.id}`))'),
  unchanged('attributes in a variable', 'const a = { plan }; log.info(`user ${user.id}`, a)'),
  unchanged('spread attributes', 'const a = { plan }; log.info(`user ${user.id}`, { ...a })'),
  unchanged('a sum of numbers before text', "log.info(retries + retries + ' retries')"),
]
