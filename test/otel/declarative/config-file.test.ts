import { afterAll, afterEach, describe, expect, test } from '@jest/globals'
import { parseConfigFile } from '@opentelemetry/configuration'
import * as fc from 'fast-check'
import { readConfigDocument } from '../../../src/otel/configuration-file/config-document.ts'
import { readConfigFile } from '../../../src/otel/configuration-file/config-file.ts'
import { ConfigFiles, configurationErrorsOf, withProcessor } from './config-files.ts'

const files = new ConfigFiles()
afterAll(() => files.remove())

const read = (text: string, env: Record<string, string> = {}) => readConfigFile(files.write(text), env)
const problems = (text: string, env: Record<string, string> = {}): string[] =>
  configurationErrorsOf(() => read(text, env), files)

const simple = '- simple:\n    exporter:\n      console:'
const otlp = (options: string): string =>
  `- batch:\n    exporter:\n      otlp_http:\n${options.replace(/^/gm, '        ')}`

// Requirements: CFG6
describe('the property file_format', () => {
  test.each(['"1.0"', '"1.1"', '1.0', '"1.0-rc.2"'])('the file_format %s is accepted', (version) => {
    expect(read(`file_format: ${version}`)).toEqual({ provider: undefined, logLevel: 'warn', warning: undefined })
  })

  test.each(['"2.0"', '"0.4"', '"1"', '1', 'null', '[]', '"x"', '"1.0.0"'])(
    'the file_format %s is rejected',
    (version) => {
      expect(problems(`# x\nfile_format: ${version}`)).toEqual([
        'otel.yaml:2:14: file_format must be "1.0" to "1.1", the version of the schema that the file follows',
      ])
    },
  )

  test('a file without file_format is rejected', () => {
    expect(problems('disabled: false')).toEqual(['otel.yaml:1:1: the file must have the property file_format'])
  })

  test('a file_format with a newer minor version causes a warning, even when every property is known', () => {
    const path = files.write(withProcessor(simple).replace('1.0', '1.9'))
    const { provider, warning } = readConfigFile(path, {})
    expect(warning).toBe(`${path}: the file follows a newer version of the schema than 1.1`)
    expect(provider?.exporter).toHaveLength(1)
    for (const version of ['1.0', '1.1'])
      expect(read(withProcessor(simple).replace('1.0', version)).warning).toBe(undefined)
  })

  test('unknown properties in a file with a newer minor version are ignored with a warning', () => {
    const text = withProcessor(`${simple}\n- batch:\n    new_field: 1\n    exporter: { console: }`).replace(
      '1.0',
      '1.9',
    )
    expect(read(text).warning).toContain('are ignored: logger_provider.processors[1].batch.new_field')
    expect(read(text).provider?.exporter).toHaveLength(2)
    expect(problems(text.replace('1.9', '1.1'))).toEqual([
      expect.stringMatching(
        /^otel\.yaml:8:9: logger_provider\.processors\[1\]\.batch\.new_field is an unknown property/,
      ),
    ])
  })
})

test('sections for other signals and unknown top-level sections are ignored with one warning', () => {
  const more =
    'tracer_provider: { processors: [] }\nmeter_provider:\npropagator: x\ninstrumentation/development: {}\nother: 1\n'
  const path = files.write(withProcessor(simple, more))
  expect(readConfigFile(path, {}).warning).toBe(
    `${path}: these parts have no effect on logs and are ignored: tracer_provider, meter_provider, propagator, instrumentation/development, other`,
  )
})

test('a file with disabled: true or without logger_provider configures no provider', () => {
  expect(read(withProcessor(simple, 'disabled: true\n')).provider).toBeUndefined()
  expect(read(withProcessor(simple, 'disabled: ${NO:-true}\n')).provider).toBeUndefined()
  expect(read(withProcessor(simple, 'disabled: false\n')).provider).toBeDefined()
  expect(read('file_format: "1.0"').provider).toBeUndefined()
})

test.each([
  ['trace', 'warn'],
  ['info4', 'warn'],
  ['warn2', 'warn'],
  ['error3', 'error'],
  ['fatal', 'none'],
  ['null', 'warn'],
])('log_level %s sets the diagnostic level to %s', (level, expected) => {
  expect(read(`file_format: "1.0"\nlog_level: ${level}`).logLevel).toBe(expected)
})

/** Returns the name and the encoding of the exporter that a file component creates. */
function fileIn(component: string): object {
  const { name, encoding } = read(withProcessor(`- simple: { exporter: { otlp_file/development: ${component} } }`))
    .provider!.exporter[0]!
  return { name, encoding: encoding.key }
}

/** Returns the properties of the exporter that a component creates. */
function exporterWith(component: string): object {
  const [exporter] = read(withProcessor(`- batch: { exporter: { ${component} } }`)).provider!.exporter
  const { name, component: type, schedule, delivery, batchBytes } = exporter!
  return { name, type, schedule, delivery, batchBytes }
}

describe('processors and exporters', () => {
  test('a batch processor applies all of its fields, and limits the batch size to the queue size', () => {
    const fields =
      'schedule_delay: 5\n    export_timeout: 0\n    max_queue_size: 9\n    max_export_batch_size: 10\n    '
    const [exporter] = read(withProcessor(simple.replace('simple:\n    ', `batch:\n    ${fields}`))).provider!.exporter
    expect(exporter).toMatchObject({
      name: 'fd:1',
      schedule: { delayMillis: 5 },
      delivery: { exportTimeoutMillis: 0, maxQueueSize: 9, maxExportBatchSize: 9 },
    })
  })

  // Requirements: CFG5
  test('fields that are null or absent have the defaults of the exporter', () => {
    const plain = read(withProcessor(otlp('encoding:'))).provider!.exporter[0]!
    const nulls =
      'schedule_delay: ${NO}\n    export_timeout:\n    max_queue_size: ~\n    max_export_batch_size: null\n    '
    const text = withProcessor(otlp('encoding:').replace('exporter', `${nulls}exporter`))
    const { schedule, delivery } = read(text).provider!.exporter[0]!
    expect({ schedule, delivery }).toEqual({ schedule: plain.schedule, delivery: plain.delivery })
  })

  // Requirements: CFG5
  test('a null component has the same defaults as a component without properties', () => {
    for (const name of ['otlp_http', 'otlp_file/development', 'console']) {
      expect(exporterWith(`${name}: `)).toEqual(exporterWith(`${name}: {}`))
      expect(exporterWith(`${name}: null`)).toEqual(exporterWith(`${name}: {}`))
    }
    expect(exporterWith('otlp_http: ')).toMatchObject({ name: 'otlp:http://localhost:4318' })
  })

  test('a simple processor exports without a delay', () => {
    const text = withProcessor(otlp('timeout: 1').replace('batch', 'simple'))
    expect(read(text).provider!.exporter[0]).toMatchObject({ schedule: { delayMillis: 0 } })
  })

  test('an otlp_http exporter applies all of its fields', () => {
    const options = [
      'endpoint: https://collector:4318/v1/logs',
      'encoding: json',
      'compression: gzip',
      'timeout: 0',
      'max_request_size: 1000',
      'headers_list: a=1,b=2',
      'headers: [{ name: B, value: "3" }, { name: c, value: }]',
      'tls: { ca_file: /ca.pem, cert_file: /c.pem, key_file: /k.pem }',
    ]
    const [exporter] = read(withProcessor(otlp(options.join('\n')))).provider!.exporter
    expect(exporter).toMatchObject({
      name: 'otlp:https://collector:4318',
      component: { type: 'otlp_http_json_log_exporter', serverAddress: 'collector', serverPort: 4318 },
      batchBytes: 1000,
    })
  })

  // Requirements: FIL3
  test.each([
    ['', 'fd:1'],
    ['{ output_stream: stdout }', 'fd:1'],
    ['{ output_stream: "file:///tmp/a%20b.jsonl" }', 'file:/tmp/a b.jsonl'],
  ])('otlp_file/development: %s writes OTLP/JSON to %s', (component, name) => {
    expect(fileIn(component)).toEqual({ name, encoding: 'otlpJson' })
  })

  // Requirements: ENV7
  test('an OpenTelemetry variable that the file does not reference has no effect', () => {
    const text = withProcessor(otlp('endpoint: ${OTEL_EXPORTER_OTLP_ENDPOINT:-http://file:1}/v1/logs'))
    process.env['OTEL_EXPORTER_OTLP_PROTOCOL'] = 'http/json'
    process.env['OTEL_EXPORTER_OTLP_LOGS_ENDPOINT'] = 'http://other:2/x'
    expect(read(text, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://variable:3' }).provider!.exporter[0]).toMatchObject({
      name: 'otlp:http://variable:3',
      component: { type: 'otlp_http_log_exporter' },
    })
    expect(read(text).provider!.exporter[0]!.name).toBe('otlp:http://file:1')
  })
})
afterEach(() => {
  delete process.env['OTEL_EXPORTER_OTLP_PROTOCOL']
  delete process.env['OTEL_EXPORTER_OTLP_LOGS_ENDPOINT']
})

test('limits of the logger provider override the general limits, and zero is a valid limit', () => {
  const general = 'attribute_limits:\n  attribute_count_limit: 5\n  attribute_value_length_limit: 6\n'
  const text = `${withProcessor(simple, general)}  limits: { attribute_count_limit: 0, attribute_value_depth_limit: 3 }\n`
  expect(read(text).provider!.limits).toEqual({ attributes: 0, stringLength: 6, depth: 3 })
})

test('a logger entry does not inherit from default_config', () => {
  const configurator = `  logger_configurator/development:
    default_config: { enabled: false, trace_based: true }
    loggers: [{ name: "io.*", config: { minimum_severity: warn2 } }]`
  expect(read(`${withProcessor(simple)}${configurator}`).provider).toMatchObject({
    defaultLogger: { enabled: false, minimumSeverity: 0, traceBased: true },
    loggers: [{ name: 'io.*', enabled: true, minimumSeverity: 'warn2', traceBased: false }],
  })
})

const resource = (text: string, env: Record<string, string> = {}) =>
  read(withProcessor(simple, `resource:\n${text.replace(/^/gm, '  ')}\n`), env).provider!

const detected = (filter: string, env: Record<string, string> = {}): Record<string, unknown> => {
  const text = `detection/development:\n  detectors: [{ host: }, { process: }, { service: }]\n${filter}`
  const parts = resource(text, env).detectors.map((detector) => detector.detect() as { attributes: object })
  return Object.assign({}, ...parts.map((part) => part.attributes)) as Record<string, unknown>
}

const attributes = (text: string) => resource(`attributes: [${text}]`).resource.attributes

describe('the resource', () => {
  test('resource attributes have the types that they specify, and string by default', () => {
    expect(
      attributes(`{ name: a, value: 1.10 }, { name: b, value: "x", type: string }, { name: c, value: true, type: bool },
        { name: d, value: 2, type: int }, { name: e, value: 2, type: double }, { name: f, value: [1, 2], type: int_array },
        { name: g, value: ["x", "1"], type: string_array }, { name: h, value: [true], type: bool_array },
        { name: i, value: }, { name: __proto__, value: x }`),
    ).toEqual(
      Object.fromEntries<unknown>([
        ['a', '1.10'],
        ['b', 'x'],
        ['c', true],
        ['d', 2],
        ['e', 2],
        ['f', [1, 2]],
        ['g', ['x', '1']],
        ['h', [true]],
        ['__proto__', 'x'],
      ]),
    )
  })

  test.each([
    '1.5, type: int',
    'x, type: int',
    '"true", type: bool',
    '1, type: string',
    '[1, x], type: int_array',
    '{ a: 1 }',
  ])('a resource attribute whose value does not match its type is an error: %s', (value) => {
    const text = withProcessor(simple, `resource:\n  attributes:\n    - { name: SECRET, value: ${value} }\n`)
    expect(problems(text)).toEqual([
      expect.stringMatching(/^otel\.yaml:4:30: resource\.attributes\[0\]\.value must be of the type/),
    ])
  })

  test('resource attributes have precedence over attributes_list, and the schema URL is set', () => {
    expect(
      resource('attributes_list: "a=1,b=x%20y"\nattributes: [{ name: a, value: "2" }]\nschema_url: https://x/1'),
    ).toMatchObject({ resource: { attributes: { a: '2', b: 'x y' }, schemaUrl: 'https://x/1' }, detectors: [] })
    expect(resource('attributes_list: ${NO}').resource).toEqual({ attributes: {} })
  })

  test('resource detectors add the attributes that are included and not excluded', () => {
    const all = detected('', { OTEL_SERVICE_NAME: 'shop' })
    expect(all).toMatchObject({ 'process.pid': process.pid, 'service.name': 'shop', 'host.name': expect.any(String) })
    expect(Object.keys(all)).toEqual(expect.arrayContaining(['os.type', 'service.instance.id']))
    expect(Object.keys(all)).not.toContain('process.command_args')
    const some = detected('  attributes: { included: ["process.*", "host.name"], excluded: ["process.runtime.?ame"] }')
    expect(Object.keys(some)).toEqual(expect.arrayContaining(['process.pid', 'process.runtime.version', 'host.name']))
    for (const name of ['os.type', 'service.name', 'process.runtime.name', 'process.command_args'])
      expect(Object.keys(some)).not.toContain(name)
    expect(detected('  attributes: { included: [process.command_args] }')).toEqual({
      'process.command_args': expect.any(Array),
    })
  })

  test('an unknown resource detector is ignored with a warning', () => {
    const text = withProcessor(simple, 'resource: { detection/development: { detectors: [{ container: }] } }\n')
    expect(read(text).warning).toContain('resource.detection/development.detectors[0].container')
  })
})

// Requirements: CFG4, CFG7
describe('errors in configuration files', () => {
  const processor = 'logger_provider.processors[0]'
  test.each<[text: string, ...expected: string[]]>([
    [simple.replace('simple', 'simpel'), `6:7: ${processor}.simpel is not a supported processor: use batch or simple`],
    [
      simple.replace('console', 'otlp_grpc'),
      '8:11: '.concat(
        `${processor}.simple.exporter.otlp_grpc is not a supported exporter: supported exporters are otlp_http, otlp_file/development, console; for gRPC`,
      ),
    ],
    ['- simple: {}', `6:7: ${processor}.simple must have the property exporter`],
    ['- simple:', `6:7: ${processor}.simple must have the property exporter`],
    [
      '- batch: { exporter: { console: }, schedule_delay: SECRET }',
      `6:56: ${processor}.batch.schedule_delay must be an integer from 0 to 2147483647, not a string`,
    ],
    [
      '- batch: { exporter: { console: }, max_queue_size: 0 }',
      `6:56: ${processor}.batch.max_queue_size must be an integer from 1 to 2147483647`,
    ],
    ['- batch: { exporter: { console: }, max_queue: 1 }', `6:40: ${processor}.batch.max_queue is an unknown property`],
    ['- batch: { exporter: { console: }, schedule_dely: 1 }', 'did you mean schedule_delay?'],
    ['- { batch: { exporter: { console: } }, simple: }', `6:7: ${processor} must have exactly one property`],
    ['- SECRET', `6:7: ${processor} must be a mapping, not a string`],
    [otlp('endpoint: grpc://SECRET'), '9:23: ', 'endpoint must begin with http:// or https://'],
    [otlp('endpoint: 4318'), 'endpoint must be a string, not a number: put it in quotes'],
    [otlp('headers: [{ name: a, value: 123 }]'), 'headers[0].value must be a string, not a number: put it in quotes'],
    [otlp('headers: [{ name: a b, value: SECRET }]'), 'headers[0] has an invalid name'],
    [otlp('headers: [{ name: a }]'), 'headers[0] must have the property value'],
    [otlp('headers_list: SECRET'), 'headers_list has an entry that is not name=value'],
    [otlp('compression: zstd'), 'compression must be one of gzip, none'],
    [otlp('encoding: SECRET'), 'encoding must be one of protobuf, json'],
    [otlp('timeout: -1'), 'timeout must be an integer from 0'],
    [otlp('timeout: 1.5'), 'timeout must be an integer'],
    [otlp('tls: { ca_file: SECRET.pem }'), 'tls.ca_file must be an absolute path'],
    [otlp('tls: { key_file: /SECRET.pem }'), 'tls must set both cert_file and key_file, or neither'],
    [
      '- simple: { exporter: { otlp_file/development: { output_stream: SECRET } } }',
      'output_stream must be stdout or a URL',
    ],
    [
      '- simple: { exporter: { otlp_file/development: { output_stream: "file://host/SECRET" } } }',
      'output_stream must be stdout or a URL',
    ],
    ['- simple: { exporter: { console: { pretty: true } } }', 'console.pretty is an unknown property'],
    ['- simple: { exporter: { __proto__: } }', '__proto__ is not a supported exporter'],
  ])(
    'an invalid property is reported with its position and the expected value, without its own value (file %#)',
    (text, ...expected) => {
      const found = problems(withProcessor(text).replace('logger', '# line 2\n# line 3\nlogger')).join('\n')
      for (const part of expected) expect(found).toContain(part)
      expect(found).not.toContain('SECRET')
    },
  )

  test('all errors in a file are reported together', () => {
    const text = withProcessor(otlp('timeout: x\ncompression: y'), 'disabled: 1\nlog_level: loud\n')
    expect(problems(text).map((problem) => problem.split(' ')[1])).toEqual([
      'disabled',
      'log_level',
      'logger_provider.processors[0].batch.exporter.otlp_http.compression',
      'logger_provider.processors[0].batch.exporter.otlp_http.timeout',
    ])
  })

  test('error messages do not contain values of environment variables', () => {
    const text = withProcessor(otlp('endpoint: ${A}\nheaders_list: ${A}\ntimeout: ${A}\ncompression: ${A}'))
    expect(problems(text, { A: 'SECRET value' })).toHaveLength(4)
    expect(problems(text, { A: 'SECRET value' }).join()).not.toContain('SECRET')
  })
})

/** Whether the official package, which validates by the published JSON schema, accepts a file. */
function isValid(text: string): boolean {
  try {
    parseConfigFile(files.write(text, 'official.yaml'))
    return true
  } catch {
    return false
  }
}

test('reading any file succeeds or throws a ConfigurationError, whose messages contain no variable values', () => {
  const whole = [
    withProcessor(otlp('endpoint: http://x/${S}\nheaders_list: "a=${S}"\ntls: { ca_file: "/${S}" }\ntimeout: ${T:-1}')),
    '  limits: { attribute_count_limit: 3 }',
    'resource:',
    '  attributes: [{ name: a, value: "${S}", type: string }]',
    '  detection/development: { detectors: [{ process: }], attributes: { excluded: ["*"] } }',
    'log_level: warn',
    'other: &anchor [1, { a: "${S}" }]',
    'alias: *anchor',
  ].join('\n')
  const pieces = fc.oneof(
    fc.string({ maxLength: 5 }),
    fc.constantFrom(
      '\n',
      '\n    ',
      ': ',
      '- ',
      '"',
      '{',
      '}',
      '[',
      ']',
      '&x ',
      '*x',
      '!!',
      '|',
      '${S}',
      '${S:',
      '$$',
      '#',
      '\t',
      '~',
    ),
  )
  const edits = fc.array(fc.tuple(fc.nat(whole.length), fc.nat(3), pieces), { minLength: 1, maxLength: 2 })
  const outcomes = { read: 0, rejected: 0 }
  fc.assert(
    fc.property(edits, (all) => {
      const text = all.reduce((rest, [at, length, piece]) => rest.slice(0, at) + piece + rest.slice(at + length), whole)
      const found = problems(text, { S: 'VALUE-of-S' })
      outcomes[found.length === 0 ? 'read' : 'rejected']++
      expect(found.filter((one) => one.includes('VALUE-of-S'))).toEqual([])
      expect(found.filter((one) => !one.startsWith('otel.yaml:'))).toEqual([])
    }),
    { numRuns: 300 },
  )
  expect(Math.min(outcomes.read, outcomes.rejected)).toBeGreaterThan(20)
})

// Requirements: CFG4
describe('the published schema', () => {
  const values = ['', '0', '1', '-1', '1.5', 'true', '"x"', 'x', '[]', '[1]', '["x"]', '{}', '{ a: 1 }', '~']
  const fields: Record<string, (value: string) => string> = {
    disabled: (v) => withProcessor(simple, `disabled: ${v}\n`),
    log_level: (v) => withProcessor(simple, `log_level: ${v}\n`),
    attribute_limits: (v) => withProcessor(simple, `attribute_limits: ${v}\n`),
    attribute_count_limit: (v) => withProcessor(simple, `attribute_limits: { attribute_count_limit: ${v} }\n`),
    resource: (v) => withProcessor(simple, `resource: ${v}\n`),
    attributes: (v) => withProcessor(simple, `resource: { attributes: ${v} }\n`),
    schema_url: (v) => withProcessor(simple, `resource: { schema_url: ${v} }\n`),
    detection: (v) => withProcessor(simple, `resource: { detection/development: ${v} }\n`),
    detectors: (v) => withProcessor(simple, `resource: { detection/development: { detectors: ${v} } }\n`),
    included: (v) => withProcessor(simple, `resource: { detection/development: { attributes: { included: ${v} } } }\n`),
    logger_provider: (v) => `file_format: "1.0"\nlogger_provider: ${v}\n`,
    processors: (v) => `file_format: "1.0"\nlogger_provider: { processors: ${v} }\n`,
    limits: (v) => `${withProcessor(simple)}  limits: ${v}\n`,
    attribute_value_length_limit: (v) => `${withProcessor(simple)}  limits: { attribute_value_length_limit: ${v} }\n`,
    configurator: (v) => `${withProcessor(simple)}  logger_configurator/development: ${v}\n`,
    loggers: (v) => `${withProcessor(simple)}  logger_configurator/development: { loggers: ${v} }\n`,
    enabled: (v) =>
      `${withProcessor(simple)}  logger_configurator/development: { default_config: { enabled: ${v} } }\n`,
    ...Object.fromEntries(
      ['schedule_delay', 'export_timeout', 'max_queue_size', 'max_export_batch_size', 'exporter', 'unknown'].map(
        (name) => [
          name,
          (v: string) =>
            withProcessor(`- batch:\n    ${name}: ${v}${name === 'exporter' ? '' : '\n    exporter: { console: }'}`),
        ],
      ),
    ),
    ...Object.fromEntries(
      ['tls', 'headers', 'timeout', 'encoding', 'unknown_field'].map((name) => [
        name,
        (v: string) => withProcessor(otlp(`${name}: ${v}`)),
      ]),
    ),
    ca_file: (v) => withProcessor(otlp(`tls: { ca_file: ${v} }`)),
    console: (v) => withProcessor(`- simple: { exporter: { console: ${v} } }`),
  }
  /** Values that only this package rejects, because of descriptions in the schema: relative paths. */
  const stricter = ['ca_file "x"', 'ca_file x']
  /** Values that only this package accepts: the types in the schema allow null, but its enumerations omit it. */
  const moreLenient = ['log_level ', 'log_level ~', 'encoding ', 'encoding ~']

  test.each(Object.keys(fields))(
    'a value of %s is accepted if and only if the official package accepts it',
    (field) => {
      const differing = values.filter((value) => {
        const text = fields[field]!(value)
        return (
          (problems(text).length === 0) !== isValid(text) &&
          ![...stricter, ...moreLenient].includes(`${field} ${value}`)
        )
      })
      expect(differing).toEqual([])
    },
  )

  test('a substituted variable has the same value as in the official package', () => {
    const texts = fc.oneof(
      // The official package removes YAML document markers from a value.
      fc.stringMatching(/^[-+.\w: ]*$/).filter((text) => !/^\s*(?:---|\.\.\.)/.test(text)),
      fc.constantFrom(
        '1',
        '-0',
        '0x1f',
        '0o7',
        '1e3',
        'true',
        'FALSE',
        'null',
        '~',
        '',
        '.5',
        'a: b',
        '- a',
        '"1"',
        '[1]',
      ),
    )
    fc.assert(
      fc.property(texts, fc.boolean(), (value, isQuoted) => {
        process.env['SLUICE_TEST_VALUE'] = value
        const reference = isQuoted ? '"${SLUICE_TEST_VALUE}"' : '${SLUICE_TEST_VALUE}'
        const text = `file_format: "1.0"\nresource:\n  attributes:\n    - name: a\n      value: ${reference}\n`
        const [official] = parseConfigFile(files.write(text)).resource!.attributes!
        const root = readConfigDocument(files.write(`value: ${reference}\n`), process.env)
        const { value: own } = (root as unknown as { entries: Map<string, { node: { value: unknown } }> }).entries.get(
          'value',
        )!.node
        // The official package treats a blank variable as unset.
        expect(isQuoted && value.trim() === '' ? '' : own).toEqual(official!.value)
      }),
      { numRuns: 300 },
    )
    delete process.env['SLUICE_TEST_VALUE']
  })
})
