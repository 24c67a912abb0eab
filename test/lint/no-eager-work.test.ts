import { testRule } from './rule-tester.ts'

const lazy = (messageId: string, source: string, level: string, suggestion?: string) => [
  { messageId, data: { source, level }, ...(suggestion === undefined ? {} : { suggestion }) },
]

testRule(
  'no-eager-work',
  [
    { what: 'a lazy call', code: "log.debug(() => ['x', { a: f() }])" },
    { what: 'a call without work', code: "log.debug('x', { a, b: c.d, e: [1, `${f}`], g: h + 1 })" },
    { what: 'work at another level', code: "log.info('x', { a: f() }); log.error(JSON.stringify(a))" },
    { what: 'a function in the attributes', code: "log.debug('x', { a: () => f() })" },
    { what: 'a cheap call', code: "log.debug('x', { a: Date.now(), b: String(c), d: performance.now() })" },
    { what: 'an allowed call', code: "log.debug('x', { a: idOf(b) })", options: { allow: ['idOf'] } },
    { what: 'work after a test of the level', code: "if (log.isLevelEnabled('debug')) { log.debug('x', { a: f() }) }" },
    { what: 'work after && and a test', code: "b && log.isLevelEnabled('debug') && log.debug('x', { a: f() })" },
    { what: 'work in a conditional expression', code: "log.isLevelEnabled('debug') ? log.debug(f()) : 0" },
    { what: 'work at a level that the option replaces', code: 'log.debug(f())', options: { eagerLevels: ['trace'] } },
    { what: 'work of another object', code: 'other.debug(f())' },
    { what: 'a call without arguments', code: 'log.debug()' },
  ],
  [
    {
      what: 'a call in the attributes',
      code: "log.debug('x', { a: f(1) })",
      errors: lazy('work', 'f()', 'debug', "log.debug(() => ['x', { a: f(1) }])"),
    },
    {
      what: 'a call that is deep inside',
      code: "log.trace('x', { a: [{ b: c ? d.e().f : 1 }] }, err)",
      errors: lazy('work', 'd.e()', 'trace', "log.trace(() => ['x', { a: [{ b: c ? d.e().f : 1 }] }, err])"),
    },
    {
      what: 'JSON.stringify',
      code: 'log.debug(JSON.stringify(a))',
      errors: lazy('json', 'JSON.stringify()', 'debug', 'log.debug(() => [JSON.stringify(a)])'),
    },
    {
      what: 'util.inspect',
      code: "log.debug('x', { a: util.inspect(b) })",
      errors: lazy('json', 'util.inspect()', 'debug', "log.debug(() => ['x', { a: util.inspect(b) }])"),
    },
    {
      what: 'a call in a template literal',
      code: 'log.debug(`${f()}`)',
      errors: lazy('work', 'f()', 'debug', 'log.debug(() => [`${f()}`])'),
    },
    {
      what: 'a tagged template',
      code: 'log.debug(f`x`)',
      errors: lazy('work', 'f()', 'debug', 'log.debug(() => [f`x`])'),
    },
    { what: 'await', code: "log.debug('x', { a: await b })", errors: lazy('guard', 'await', 'debug') },
    {
      what: 'a call next to await',
      code: "log.debug('x', { a: f(), b: await c })",
      errors: lazy('guard', 'f()', 'debug'),
    },
    {
      what: 'a call after a lazy argument',
      code: "log.debug(() => 'x', f())",
      errors: lazy('guard', 'f()', 'debug'),
    },
    {
      what: 'a call before a function',
      code: "log.debug('x', f(), () => {})",
      errors: lazy('guard', 'f()', 'debug'),
    },
    {
      what: 'a callee of several lines',
      code: "log.debug('x', { a: f\n  .g() })",
      errors: lazy('work', 'f.g()', 'debug', "log.debug(() => ['x', { a: f\n  .g() }])"),
    },
    {
      what: 'an import',
      code: "log.debug('x', { a: import('b') })",
      errors: lazy('work', 'import()', 'debug', "log.debug(() => ['x', { a: import('b') }])"),
    },
    {
      what: 'work in the other branch of a test',
      code: "if (log.isLevelEnabled('debug')) {} else log.debug(f())",
      errors: lazy('work', 'f()', 'debug', "if (log.isLevelEnabled('debug')) {} else log.debug(() => [f()])"),
    },
    {
      what: 'work at a level that the option adds',
      code: 'log.info(f())',
      options: { eagerLevels: ['info'] },
      errors: lazy('work', 'f()', 'info', 'log.info(() => [f()])'),
    },
  ],
)
