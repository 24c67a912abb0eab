import { testRule } from './rule-tester.ts'

const missing = (name: string, hint: string, suggestion?: string) => ({
  messageId: 'missing',
  data: { name, hint },
  ...(suggestion === undefined ? {} : { suggestion }),
})

testRule(
  'template-names',
  [
    { what: 'a message whose names are attributes', code: "log.info('{a} {b:json} {c.d}', { a, b: 1, 'c.d': 2 })" },
    { what: 'an attribute that is not in the message', code: "log.info('{a}', { a, b })" },
    { what: 'a message without attributes', code: "log.info('{a}')" },
    { what: 'a message with attributes in a variable', code: "log.info('{a}', attributes)" },
    { what: 'a message with spread attributes', code: "log.info('{a}', { ...b })" },
    { what: 'a message with a computed attribute', code: "log.info('{a}', { [b]: 1 })" },
    { what: 'braces without a name', code: 'log.info(\'{} {a b} {{a}} {"a":1}\', { c })' },
    { what: 'the name of an exception', code: "log.error('failed: {err}', { a }, error)" },
    { what: 'a template literal', code: 'log.info(`{a} ${b}`, { c })' },
    {
      what: 'an attribute of the logger',
      code: "createLogger({ attributes: { region: 'eu' } }).child({ part: 1 }).info('{region} {part} {a}', { a })",
    },
    {
      what: 'an attribute of a context of the file',
      code: "function f() { log.info('{requestId}', { a, b }) }; import { withContext } from 'sluice'; withContext({ requestId: 1 }, f)",
    },
    {
      what: 'an attribute of a context of a namespace',
      code: "import * as s from 'sluice'; s.withContext({ requestId: 1 }, () => log.info('{requestId}', { a, b }))",
    },
    {
      what: 'an attribute of a context whose attributes are a variable',
      code: "import { withContext } from 'sluice'; withContext(attributes, () => log.info('{requestId}', { a, b }))",
    },
    { what: 'an attribute of a logger that is a parameter', code: "function f(log) { log.info('{part}', { a, b }) }" },
    {
      what: 'the only name for the only attribute of a parameter',
      code: "function f(log) { log.info('{id}', { orderId }) }",
    },
    {
      what: 'an attribute of an imported logger',
      code: "import { logger } from './log.js'; logger.info('{part}', { a })",
    },
    { what: 'an attribute of the logger of a request', code: "request.log.info('{part}', { a })" },
    { what: 'an attribute of a member of this', code: "class A { m() { this.logger.info('{part}', { a }) } }" },
    { what: 'an attribute of a child with variable attributes', code: "log.child(attributes).info('{part}', { a })" },
    { what: 'an attribute of a child with spread attributes', code: "log.child({ ...a }).info('{part}', { a })" },
    { what: 'an attribute of a logger with variable options', code: "createLogger(options).info('{part}', { a })" },
    { what: 'an attribute of a logger with enrich', code: "createLogger({ enrich }).info('{part}', { a })" },
    { what: 'an attribute of a logger with baggage', code: "createLogger({ baggage: ['a'] }).info('{part}', { a })" },
    { what: 'an attribute of a logger with a handler', code: "createLogger({ handler }).info('{part}', { a })" },
    {
      what: 'an attribute of a logger that is assigned later',
      code: "let x = createLogger(); x = x.child({ part: 1 }); x.info('{part}', { a })",
    },
    {
      what: 'a name that is similar to an attribute, of a child in the file',
      code: "function f(log) { log.info('{user} {a}', { users, a }) }; f(log.child({ user: 1 }))",
    },
    { what: 'an attribute that the option lists', code: "log.info('{a} {id}', { a })", options: { bound: ['id'] } },
    { what: 'an attribute that the setting lists', code: "log.info('{a} {id}', { a })", settings: { bound: ['id'] } },
  ],
  [
    {
      what: 'a name with a typo',
      code: "log.info('{usrId} in', { userId })",
      errors: [missing('usrId', ' Did you mean "userId"?', "log.info('{userId} in', { userId })")],
    },
    {
      what: 'a name with a format and a typo',
      code: "log.info({ users }, '{user:json} {{user}}')",
      errors: [missing('user', ' Did you mean "users"?', "log.info({ users }, '{users:json} {{user}}')")],
    },
    {
      what: 'the only name for the only attribute',
      code: "log.info('{id}', { orderId })",
      errors: [missing('id', ' Did you mean "orderId"?', "log.info('{orderId}', { orderId })")],
    },
    {
      what: 'a name after braces that are text',
      code: "log.info('{{{a.b} {{a.b}} {a.b}', { aXb })",
      errors: [missing('a.b', ' Did you mean "aXb"?', "log.info('{{{aXb} {{a.b}} {aXb}', { aXb })")],
    },
    { what: 'a name without attributes', code: "log.info('{id}', {})", errors: [missing('id', '')] },
    {
      what: 'a name that is not similar to an attribute',
      code: "log.info('{id}', { place, plan })",
      errors: [missing('id', ' Unused keys: place, plan.')],
    },
    {
      what: 'each of two names',
      code: "log.info('{a} {b} {c}', { a })",
      errors: [missing('b', ''), missing('c', '')],
    },
    {
      what: 'a name in a lazy message',
      code: "log.debug(() => ['{id}', { orderId }])",
      errors: [missing('id', ' Did you mean "orderId"?', "log.debug(() => ['{orderId}', { orderId }])")],
    },
    {
      what: 'a name in a concatenation',
      code: "log.info('{id} ' + 'in', { id2 })",
      errors: [missing('id', ' Did you mean "id2"?', "log.info('{id2} ' + 'in', { id2 })")],
    },
    {
      what: 'a typo in a message of a logger that is a parameter',
      code: "function f(log) { log.info('{usrId}', { userId, plan }) }",
      errors: [
        missing('usrId', ' Did you mean "userId"?', "function f(log) { log.info('{userId}', { userId, plan }) }"),
      ],
    },
    {
      what: 'a short name that is not similar to an attribute',
      code: "log.info('{a}', { b, c })",
      errors: [missing('a', ' Unused keys: b, c.')],
    },
    {
      what: 'an attribute of a function with the name of withContext',
      code: "const withContext = f; withContext({ id: 1 }, () => log.info('{id}', { a, b }))",
      errors: [missing('id', ' Unused keys: a, b.')],
    },
    {
      what: 'an attribute of another logger',
      code: "createLogger({ attributes: { region: 1 } }); log.info('{region}', { a, b })",
      errors: [missing('region', ' Unused keys: a, b.')],
    },
  ],
)
