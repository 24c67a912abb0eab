import { expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { encoderFor, type EncodedRecord, type Encoding } from '../../src/encode/encoding.ts'
import { jsonLines } from '../../src/encode/json/json-lines.ts'
import { LongLine } from '../../src/encode/json/long-line.ts'
import { otlpJsonLines } from '../../src/encode/otlp/otlp-json.ts'
import { otlpEncoding } from '../../src/encode/otlp/otlp-request.ts'
import { plainLines } from '../../src/encode/plain-lines.ts'
import { pretty } from '../../src/exporters/pretty-encoding.ts'
import { Resolver } from '../../src/encode/walk/resolve.ts'
import { SharedEncoder, withTruncationListener } from '../../src/encode/shared-encoder.ts'
import { BoundState } from '../../src/record/bound.ts'
import { newRecord, type LogRecord } from '../../src/record/record.ts'
import { emptyScopeDetails } from '../../src/record/instrumentation-source.ts'
import { resolveLimits } from '../../src/values/limits.ts'
import { compileRedaction } from '../../src/redact/redact.ts'
import type { Rules } from '../../src/values/record-rules.ts'
import { standardSerializers } from '../../src/values/serializers.ts'
import { descriptions, keys, memberDescriptions } from '../support/values/arbitraries.ts'
import { build, buildMembers, type Description } from '../support/build.ts'

/** Encodings that traverse a record and so run the same user code. */
const walking: Readonly<Record<string, () => Encoding>> = {
  json: () => jsonLines(),
  pino: () => jsonLines('pino'),
  'ecs, flat': () => jsonLines({ base: 'ecs', attributes: 'flat' }),
  'OTLP lines': () => otlpJsonLines(),
  'OTLP/JSON': () => otlpEncoding('http/json'),
  'OTLP/protobuf': () => otlpEncoding('http/protobuf'),
  pretty: () => pretty({ colors: false }),
  'pretty in color': () => pretty({ colors: true }),
}
const selections = fc
  .tuple(fc.subarray(Object.keys(walking), { minLength: 2, maxLength: 4 }), fc.boolean(), fc.nat())
  .map(([names, hasPlain, seed]) => {
    const turned = [...names.slice(seed % names.length), ...names.slice(0, seed % names.length)]
    const walked = turned.map((name) => walking[name]!())
    return hasPlain ? walked.concat(plainLines()) : walked
  })

const members: fc.Arbitrary<readonly (readonly [string, Description])[]> = fc
  .tuple(
    memberDescriptions,
    fc.array(fc.tuple(fc.constantFrom('err', 'error', 'args', 'exception.type'), descriptions), { maxLength: 2 }),
  )
  .map(([some, more]) => Array.from(new Map<string, Description>([...more, ...some])))
const args = fc.array(descriptions, { minLength: 1, maxLength: 3 })

const calls = fc.record({
  body: fc.oneof(
    fc.constantFrom('m', '{a} {b:json} {err} {user}', '%s %j %d', '%o {a} %s', undefined).map((text) => ({ text })),
    keys.map((text) => ({ text })),
    descriptions.map((value) => ({ value })),
  ),
  attributes: fc.option(members, { nil: undefined }),
  enriched: fc.option(members, { nil: undefined }),
  bound: members,
  prefix: fc.constantFrom('', '> '),
  error: fc.boolean(),
  args: fc.option(args, { nil: undefined }),
  extra: fc.option(args, { nil: undefined }),
})

type Call = typeof calls extends fc.Arbitrary<infer C> ? C : never

/** The calls of user code with their arguments. */
type Log = string[]

function rulesOf(log: Log, pattern: boolean, stringLength: number): Rules {
  return {
    redaction: compileRedaction(
      {
        paths: ['user.*', 'a', 'err.code', 'args[0]'],
        keys: ['password', /^tok/],
        censor: (value, path) => {
          log.push(`censor ${path.join('.')} ${typeof value}`)
          return { hidden: typeof value }
        },
        ...(pattern && { patterns: [{ name: 'example', pattern: /e+|\d\d/ }] }),
      },
      'redact',
      [],
    ),
    serializers: new Map([
      ...standardSerializers,
      [
        'b',
        (value) => {
          log.push(`serializer ${typeof value}`)
          return typeof value === 'string' ? { text: value } : value
        },
      ],
    ]),
    limits: resolveLimits({ attributes: 5, items: 3, depth: 5, stringLength, recordBytes: 1_024 }, 'limits', []),
  }
}

function recordOf(call: Call, bound: BoundState, log: Log): LogRecord {
  const onCall = (name: string) => void log.push(name)
  return {
    ...newRecord(0, 9, 'info', bound),
    body: 'text' in call.body ? call.body.text : build(call.body.value, onCall),
    printfArguments: call.args?.map((value) => build(value, onCall)),
    extraArguments: call.extra?.map((value) => build(value, onCall)),
    attributes: call.attributes === undefined ? undefined : buildMembers(call.attributes, onCall),
    exception: call.error ? sameError : undefined,
    enrichedAttributes: call.enriched === undefined ? undefined : buildMembers(call.enriched, onCall),
  }
}

const sameError = Object.assign(new Error('same', { cause: 'text' }), { code: 'E', token: 't' })

function boundOf(call: Call, rules: Rules): BoundState {
  const { attributes, droppedCount: dropped } = new Resolver(rules).resolve(buildMembers(call.bound))
  return BoundState.of(
    {
      scope: { ...emptyScopeDetails, name: 'scope', version: undefined },
      resource: { attributes: new Map(), serviceName: undefined, schemaUrl: undefined },
      droppedAttributes: dropped,
      messagePrefix: call.prefix,
      context: undefined,
    },
    attributes,
  )
}

const textOf = (encoded: EncodedRecord | undefined) => (encoded instanceof LongLine ? encoded.text() : encoded)

test.each([
  ['short strings', false, 12],
  ['long strings', false, 1_000],
  ['patterns', true, 1_000],
])(
  'encoding a record in several formats at once writes the same bytes as each alone and runs user code once, with %s',
  (_, pattern, stringLength) => {
    fc.assert(
      fc.property(selections, fc.array(calls, { minLength: 1, maxLength: 3 }), (encodings, sequence) => {
        const log: Log = []
        const rules = rulesOf(log, pattern, stringLength)
        const bounds = sequence.map((call) => boundOf(call, rules))
        const encode = (encoder: { encode(record: LogRecord): unknown }, index: number) => {
          log.length = 0
          const encoded = encoder.encode(recordOf(sequence[index]!, bounds[index]!, log))
          return { encoded, log: [...log] }
        }
        let isCut = false
        const alone = encodings.map((encoding) =>
          encoderFor(
            encoding,
            withTruncationListener(rules, () => (isCut = true)),
          ),
        )
        const shared = new SharedEncoder(encodings, rules)
        for (const index of sequence.keys()) {
          const together = encode(shared, index)
          const { texts, truncatedFlags: cut } = together.encoded as ReturnType<SharedEncoder['encode']>
          for (const [place, encoder] of alone.entries()) {
            isCut = false
            const single = encode(encoder, index)
            expect(textOf(texts[place])).toBe(textOf(single.encoded as EncodedRecord))
            if (encodings[place]!.key === 'plain') continue
            expect(together.log).toEqual(single.log)
            expect(cut[place]).toBe(isCut)
          }
        }
      }),
      { numRuns: 300 },
    )
  },
)
