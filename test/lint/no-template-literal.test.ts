import { testRule, type InvalidCase } from './rule-tester.ts'

const values = (suggestion?: string) => [{ messageId: 'values', ...(suggestion === undefined ? {} : { suggestion }) }]

testRule(
  'no-template-literal',
  [
    { what: 'a message with names', code: "log.info('user {id}', { id })" },
    { what: 'a template literal without values', code: 'log.info(`user signed in`)' },
    { what: 'a concatenation of texts', code: "log.info('a' + 'b' + `c`)" },
    { what: 'a message that is a variable', code: 'log.info(message)' },
    { what: 'a sum of variables', code: 'log.info(a + b)' },
    { what: 'an attribute that is a template literal', code: "log.info('x', { key: `${a}:${b}` })" },
    { what: 'a printf argument that is a template literal', code: "log.info('x %s', `${a}:${b}`)" },
    { what: 'another method', code: 'log.child(`${a}`); log[`info`](`${a}`); log.isLevelEnabled(`${a}`)' },
    { what: 'an object of another origin', code: 'console.log(`${a}`); Math.log(`${a}`); other.info(`${a}`)' },
    { what: 'a function', code: 'log(`${a}`)' },
  ],
  [
    {
      what: 'a template literal',
      code: 'log.info(`user ${id} in`)',
      errors: values("log.info('user {id} in', { id })"),
    },
    {
      what: 'a concatenation',
      code: "log.warn('user ' + user.id + ' in ' + place)",
      errors: values("log.warn('user {id} in {place}', { id: user.id, place })"),
    },
    {
      what: 'a template literal with attributes',
      code: 'log.info(`user ${id} in`, { plan, })',
      errors: values("log.info('user {id} in', { id, plan, })"),
    },
    {
      what: 'a template literal with empty attributes',
      code: 'log.info(`user ${id} in`, {})',
      errors: values("log.info('user {id} in', { id })"),
    },
    {
      what: 'a value that is an attribute already',
      code: 'log.info(`user ${user.id} in`, { id: user.id })',
      errors: values("log.info('user {id} in', { id: user.id })"),
    },
    {
      what: 'a template literal after the attributes',
      code: 'log.info({ plan }, `user ${id} in`)',
      errors: values("log.info({ plan, id }, 'user {id} in')"),
    },
    {
      what: 'a template literal before an error',
      code: 'log.error(`could not charge ${order.id}`, error)',
      errors: values("log.error('could not charge {id}', { id: order.id }, error)"),
    },
    {
      what: 'a template literal after an error',
      code: 'log.error(err, `could not charge ${order.id}`)',
      errors: values("log.error(err, 'could not charge {id}', { id: order.id })"),
    },
    {
      what: 'a lazy message',
      code: 'log.debug(() => `user ${id} in`)',
      errors: values("log.debug(() => ['user {id} in', { id }])"),
    },
    {
      what: 'a lazy message with attributes',
      code: 'log.debug(() => [`user ${id} in`, { plan }])',
      errors: values("log.debug(() => ['user {id} in', { id, plan }])"),
    },
    {
      what: 'a value as JSON',
      code: 'log.info(`got ${JSON.stringify(req.body)}`)',
      errors: values("log.info('got {body:json}', { body: req.body })"),
    },
    {
      what: 'two values with the same name',
      code: 'log.info(`${user.id} bought ${order.id} ${order.id}`)',
      errors: values("log.info('{id} bought {orderId} {orderId}', { id: user.id, orderId: order.id })"),
    },
    {
      what: 'a name that an attribute has',
      code: 'log.info(`${user.id}`, { id: order.id })',
      errors: values("log.info('{userId}', { userId: user.id, id: order.id })"),
    },
    {
      what: 'a text with quotes and line breaks',
      code: 'log.info(`it\'s "${a}"\n\\t`)',
      errors: values("log.info('it\\'s \"{a}\"\\n\\t', { a })"),
    },
    { what: 'a member of this', code: 'log.info(`${this.id}`)', errors: values("log.info('{id}', { id: this.id })") },
    { what: 'an optional member', code: 'log.info(`${a?.b}`)', errors: values("log.info('{b}', { b: a?.b })") },
    {
      what: 'a lazy message of a block',
      code: 'log.debug(() => { f(); return `user ${id}` })',
      errors: values("log.debug(() => { f(); return ['user {id}', { id }] })"),
    },
    {
      what: 'a template literal in a template literal',
      code: 'log.info(`user ${`with ${id}`} in`)',
      errors: values("log.info('user with {id} in', { id })"),
    },
    {
      what: 'a length',
      code: 'log.info(`${items.length} items`)',
      errors: values("log.info('{itemsLength} items', { itemsLength: items.length })"),
    },
    {
      what: 'a name that an attribute of the logger has',
      code: 'log.child({ id: 1 }).info(`${user.id}`)',
      errors: values("log.child({ id: 1 }).info('{userId}', { userId: user.id })"),
    },
    { what: 'a name of the prototype', code: 'log.info(`${a.__proto__}`)', errors: values() },
    { what: 'a message in parentheses', code: 'log.info((`${a}`))', errors: values() },
    { what: 'a message in parentheses before an error', code: 'log.error((`${a}`), err)', errors: values() },
    { what: 'a message in parentheses with comments', code: 'log.info((`${a}` /* ) */ // b\n ))', errors: values() },
    { what: 'a message in parentheses in an array', code: 'log.debug(() => [(`${a}`)])', errors: values() },
    {
      what: 'a returned message in parentheses',
      code: 'log.debug(() => (`${a}`))',
      errors: values("log.debug(() => (['{a}', { a }]))"),
    },
    {
      what: 'a message before a comma and a line break',
      code: 'log.info(`${a}`,\n)',
      errors: values("log.info('{a}', { a },\n)"),
    },
    { what: 'a message with a comment', code: 'log.info(`${/* why */ a}`)', errors: values() },
    { what: 'a concatenation with a comment', code: "log.info('a ' + // why\n a)", errors: values() },
    {
      what: 'a message with constants',
      code: "const a = 'x', b = 5, c = `d`, e = true; log.info(`${a} ${b} ${c} ${e}`, { f })",
      errors: values("const a = 'x', b = 5, c = `d`, e = true; log.info('{a} {b} {c} {e}', { a, b, c, e, f })"),
      isFixed: true,
    },
    {
      what: 'a message of the default logger with a constant',
      code: "import { logger } from 'sluice'; const a = 1; logger.info('a ' + a)",
      errors: values("import { logger } from 'sluice'; const a = 1; logger.info('a {a}', { a })"),
      isFixed: true,
    },
    {
      what: 'a message with a constant before the variable of a catch clause',
      code: 'const a = 1; try { f() } catch (failure) { log.error(`${a}`, failure) }',
      errors: values("const a = 1; try { f() } catch (failure) { log.error('{a}', { a }, failure) }"),
      isFixed: true,
    },
    {
      what: 'a message with a constant before a new error',
      code: "const a = 1; log.error(`${a}`, new errors.NotFoundError('x'))",
      errors: values("const a = 1; log.error('{a}', { a }, new errors.NotFoundError('x'))"),
      isFixed: true,
    },
    {
      what: 'a message with a constant before a parameter with the name of an error',
      code: 'const a = 1; function f(reason) { log.info(`${a}`, reason) }',
      errors: values("const a = 1; function f(reason) { log.info('{a}', { a }, reason) }"),
    },
    {
      what: 'a message with a constant after a parameter with the name of an error',
      code: 'const a = 1; function f(err) { log.info(err, `${a}`) }',
      errors: values("const a = 1; function f(err) { log.info(err, '{a}', { a }) }"),
    },
    {
      what: 'a message with a constant before a constant with the name of an error',
      code: 'const a = 1; const error = { code: 5 }; log.info(`${a}`, error)',
      errors: values("const a = 1; const error = { code: 5 }; log.info('{a}', { a }, error)"),
    },
    {
      what: 'a message with a constant before a destructured member of a caught value',
      code: 'const a = 1; try { f() } catch ({ cause }) { log.error(`${a}`, cause) }',
      errors: values("const a = 1; try { f() } catch ({ cause }) { log.error('{a}', { a }, cause) }"),
    },
    {
      what: 'a message with a constant before a caught value that is assigned later',
      code: 'const a = 1; try { f() } catch (e) { e = g(); log.error(`${a}`, e) }',
      errors: values("const a = 1; try { f() } catch (e) { e = g(); log.error('{a}', { a }, e) }"),
    },
    {
      what: 'a message with a constant between a variable and attributes',
      code: 'const a = 1; log.info(reason, `${a}`, { b })',
      errors: values("const a = 1; log.info(reason, '{a}', { a, b })"),
    },
    ...[
      ['a logger with attributes in a variable', 'createLogger({ attributes }).info(', ')'],
      ['a child with attributes in a variable', 'log.child(attributes).info(', ')'],
      ['a logger with serializers', 'createLogger({ serializers }).info(', ')'],
      ['a logger with redaction', "createLogger({ redact: ['a'] }).child({}).info(", ')'],
      ['a logger with limits', 'createLogger({ limits }).info(', ')'],
      ['a logger with a message prefix', "createLogger({ messagePrefix: '{b} ' }).info(", ')'],
      ['a child with redaction', "log.child({}, { redact: ['a'] }).info(", ')'],
      ['a child with options in a variable', 'log.child({}, options).info(', ')'],
      ['a logger with enrich', 'createLogger({ enrich }).info(', ')'],
      [
        'a context with the same name',
        "import { withContext } from 'sluice'; withContext({ a: 2 }, () => log.info(",
        '))',
      ],
      [
        'a context with the same name that is set later',
        "import { withContext } from 'sluice'; log.info(",
        '); withContext({ a: 2 }, f)',
      ],
      ['a context with attributes in a variable', "import * as s from 'sluice'; log.info(", '); s.withContext(b, f)'],
    ].map(([what, before, after]): InvalidCase => {
      const code = (args: string) => `const a = 1; ${before}${args}${after}`
      return {
        what: `a message with a constant of ${what}`,
        code: code('`${a}`'),
        errors: values(code("'{a}', { a }")),
      }
    }),
    {
      what: 'a message with a constant that the option names as a bound attribute',
      code: 'const a = 1; log.info(`${a}`)',
      options: { bound: ['a'] },
      errors: values("const a = 1; log.info('{a}', { a })"),
    },
    {
      what: 'a message with a constant of a logger and a context with other names',
      code: "import { withContext } from 'sluice'; const a = 1; withContext({ b }, () => log.child({ c }).info(`${a}`))",
      errors: values(
        "import { withContext } from 'sluice'; const a = 1; withContext({ b }, () => log.child({ c }).info('{a}', { a }))",
      ),
      isFixed: true,
    },
    {
      what: 'a message with a constant of a logger and a child with a level',
      code: "const a = 1; createLogger({ level: 'warn' }).child({}, { level: 'info' }).info(`${a}`)",
      errors: values("const a = 1; createLogger({ level: 'warn' }).child({}, { level: 'info' }).info('{a}', { a })"),
      isFixed: true,
    },
    {
      what: 'a name that a context has',
      code: "import { withContext } from 'sluice'; log.info(`${user.id}`); withContext({ id }, f)",
      errors: values(
        "import { withContext } from 'sluice'; log.info('{userId}', { userId: user.id }); withContext({ id }, f)",
      ),
    },
    ...[
      ['with braces', "const a = '{b}'"],
      ['with a percent sign', 'const a = `%s`'],
      ['that is built from values', 'const a = `x${b}`'],
      ['that a later declaration replaces', 'var a = 5; var a = {}'],
    ].map(([what, declaration]): InvalidCase => ({
      what: `a message with a variable ${what}`,
      code: `${declaration}; log.info(\`\${a}\`, { b })`,
      errors: values(`${declaration}; log.info('{a}', { a, b })`),
    })),
    {
      what: 'a message with a variable before its declaration',
      code: 'log.info(`${a}`); var a = 5',
      errors: values("log.info('{a}', { a }); var a = 5"),
    },
    { what: 'a lazy message before an error', code: 'log.debug(() => `${a}`, err)', errors: values() },
    {
      what: 'a lazy message before attributes',
      code: 'log.debug(() => { const a = 1; return `${a}` }, { b })',
      errors: values(),
    },
    {
      what: 'a message with a constant in a lazy call before arguments that are not logged',
      code: 'const a = 1; log.debug(() => [`${a}`], { a: 2 })',
      errors: values("const a = 1; log.debug(() => ['{a}', { a }], { a: 2 })"),
      isFixed: true,
    },
    {
      what: 'a message with a variable that is assigned later',
      code: 'let a = 1; a = b; log.info(`${a}`)',
      errors: values("let a = 1; a = b; log.info('{a}', { a })"),
    },
    {
      what: 'a message with a constant that is not a primitive value',
      code: 'const a = /x/; log.info(`${a}`)',
      errors: values("const a = /x/; log.info('{a}', { a })"),
    },
    {
      what: 'a message with a destructured constant',
      code: 'const { a } = b; log.info(`${a}`)',
      errors: values("const { a } = b; log.info('{a}', { a })"),
    },
    {
      what: 'a message with a constant and a member',
      code: 'const a = 1; log.info(`${a} ${b.c}`)',
      errors: values("const a = 1; log.info('{a} {c}', { a, c: b.c })"),
    },
    {
      what: 'a message with a constant of a logger that declares types',
      code: 'const a = 1; createLogger({ types: t }).info(`${a}`)',
      errors: values("const a = 1; createLogger({ types: t }).info('{a}', { a })"),
    },
    {
      what: 'a message with a constant of a logger with variable options',
      code: 'const a = 1; createLogger(options).info(`${a}`)',
      errors: values("const a = 1; createLogger(options).info('{a}', { a })"),
    },
    {
      what: 'a message with a constant of a logger of another file',
      code: 'const a = 1; request.log.info(`${a}`)',
      errors: values("const a = 1; request.log.info('{a}', { a })"),
    },
    { what: 'a value without a name', code: 'log.info(`${a + 1}`)', errors: values() },
    { what: 'a call', code: 'log.info(`${total()}`)', errors: values() },
    { what: 'a text with braces', code: 'log.info(`{a} ${b}`)', errors: values() },
    { what: 'a text with a percent sign', code: 'log.info(`100 %d ${b}`)', errors: values() },
    { what: 'a message with attributes in a variable', code: 'log.info(`${a}`, attributes)', errors: values() },
    { what: 'a message with spread attributes', code: 'log.info(`${a}`, { ...b })', errors: values() },
    { what: 'a sum in a text', code: "log.info(a + b + ' left')", errors: values() },
    {
      what: 'a message of an added level',
      code: 'log.notice(`${a}`)',
      options: { levels: ['notice'] },
      errors: values("log.notice('{a}', { a })"),
    },
    {
      what: 'a message of a level that the setting adds',
      code: 'log.notice(`${a}`)',
      settings: { levels: ['notice'] },
      errors: values("log.notice('{a}', { a })"),
    },
  ],
)
