import * as fc from 'fast-check'
import { outcomeOf, parseRetryAfter } from '../../../src/exporters/otlp/response.ts'
import { headerSecrets, urlSecrets } from '../../../src/exporters/otlp/mask.ts'
import { providerFromEnvironment } from '../../../src/otel/provider/provider-environment.ts'
import { recordLimits } from '../../../src/otel/api/limits.ts'
import { spanContextIn, validSpanContext } from '../../../src/otel/api/span-context.ts'
import type { Diagnostic } from '../../../src/options/configuration-error.ts'
import { exceptionOf } from '../../../src/values/exception.ts'
import { stacktraceWithCauses, unlimitedStacktraceOptions } from '../../../src/values/stacktrace.ts'
import { readEnvironment } from '../../../src/platform/node/env.ts'
import type { Environment } from '../../../src/platform/node/variables.ts'
import { readOtlpEnvironment } from '../../../src/platform/node/otel-env.ts'
import { resourceFrom } from '../../../src/platform/node/resource.ts'
import { nastyText } from '../../support/values/arbitraries.ts'
import { canary, expectNoCanary } from './canary.ts'
import { target, type Target } from './target.ts'
import { thrower, traps } from './traps.ts'
import { make, plans } from './values.ts'

const variables =
  `SLUICE_LEVEL LOG_LEVEL SLUICE_FORMAT SLUICE_LAYOUT NODE_ENV OTEL_SERVICE_NAME OTEL_RESOURCE_ATTRIBUTES
  OTEL_SDK_DISABLED OTEL_CONFIG_FILE OTEL_LOGS_EXPORTER OTEL_BLRP_SCHEDULE_DELAY OTEL_BLRP_EXPORT_TIMEOUT
  OTEL_BLRP_MAX_QUEUE_SIZE OTEL_BLRP_MAX_EXPORT_BATCH_SIZE OTEL_ATTRIBUTE_COUNT_LIMIT OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT
  OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT OTEL_EXPORTER_OTLP_ENDPOINT OTEL_EXPORTER_OTLP_LOGS_ENDPOINT OTEL_EXPORTER_OTLP_HEADERS
  OTEL_EXPORTER_OTLP_LOGS_HEADERS OTEL_EXPORTER_OTLP_PROTOCOL OTEL_EXPORTER_OTLP_COMPRESSION OTEL_EXPORTER_OTLP_TIMEOUT
  OTEL_EXPORTER_OTLP_CERTIFICATE OTEL_EXPORTER_OTLP_CLIENT_KEY OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE`.split(/\s+/)

const values = fc.oneof(
  fc.constantFrom(
    canary,
    `authorization=Bearer ${canary}`,
    `authorization=Bearer%20${canary},x=${canary};p=1`,
    `a=${canary}%`,
    `https://me:${canary}@host`,
    `https://${canary}@host`,
    `ftp://me:${canary}@host`,
    `http://host/\n${canary}`,
    'otlp',
    'console',
    'none',
    'otlp,console',
    'grpc',
    'true',
    '-1',
    '1e400',
    '9'.repeat(400),
    'a=b,c=%ZZ',
    '='.repeat(10_000),
    `${canary}\n\u001b[31m{"level":"fatal"}`,
  ),
  nastyText,
)

const environments = fc.record({
  variables: fc.array(fc.tuple(fc.constantFrom(...variables), values), { maxLength: 6 }),
  as: fc.constantFrom('plain' as const, 'proxy' as const, 'throwing' as const),
})

/** Environment variables: nothing throws, and each diagnostic is one line without values. */
export const environment: Target<unknown> = target('environment', environments, async (given) => {
  const problems: Diagnostic[] = []
  const onDiagnostic = (problem: Diagnostic) => void problems.push(problem)
  const plain: Environment = Object.fromEntries(given.variables)
  const env = given.as === 'plain' ? plain : (new Proxy(plain, given.as === 'proxy' ? {} : traps) as Environment)
  readEnvironment(onDiagnostic, [], env)
  readOtlpEnvironment(onDiagnostic, env)
  resourceFrom(undefined, onDiagnostic, env)
  recordLimits(undefined, onDiagnostic, [], env)
  await providerFromEnvironment(onDiagnostic, {
    ...plain,
    OTEL_LOGS_EXPORTER: plain['OTEL_LOGS_EXPORTER'] ?? 'none',
  })?.shutdown({
    timeoutMillis: 0,
  })
  for (const { code, message } of problems) expectOneLine(`${code}: ${message}`)
})

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  nastyText.map((text) => Buffer.from(text)),
  fc
    .record({
      partialSuccess: fc.option(
        fc.record({
          rejectedLogRecords: fc.oneof(fc.integer(), fc.double(), nastyText, fc.constant('9'.repeat(500))),
          errorMessage: fc.oneof(nastyText, fc.constant(`no: ${canary}\n\u001b[31m`)),
        }),
      ),
      message: fc.oneof(nastyText, fc.constant(`Bearer ${canary}`), fc.constant(`{"authorization":"${canary}"}`)),
      code: fc.integer(),
    })
    .map((value) => Buffer.from(JSON.stringify(value))),
  // Protobuf with invalid lengths, groups, nested messages and long variable-length integers.
  fc
    .array(fc.constantFrom(10, 18, 26, 8, 13, 9, 255, 1, 0, 128, 2), { maxLength: 30 })
    .map((list) => Uint8Array.from(list)),
  fc.constant(Buffer.from(`\u0012${String.fromCharCode(canary.length)}${canary}`)),
)

const answers = fc.record({
  status: fc.option(fc.oneof(fc.constantFrom(200, 202, 301, 400, 413, 429, 500, 503), fc.nat(999)), { nil: undefined }),
  retryAfter: fc.oneof(
    nastyText,
    fc.constantFrom('0', '-1', '1e3', '99999999999999999999', 'Wed, 21 Oct 2026 07:28:00 GMT', 'Wed', '12; evil'),
    fc.constant(undefined),
  ),
  contentType: fc.oneof(nastyText, fc.constantFrom('application/json', 'application/x-protobuf', undefined)),
  body: fc.option(bytes, { nil: undefined }).map((body) => (body === undefined ? undefined : Array.from(body))),
  why: nastyText,
})

/** Server responses: nothing throws, at most the sent records are counted, and each diagnostic is one line without secrets. */
export const serverResponses: Target<unknown> = target('answers', answers, ({ status, body, why, ...rest }) => {
  const secrets = [
    ...headerSecrets(new Map([['authorization', `Bearer ${canary}`]])),
    ...urlSecrets(new URL(`https://me:${canary}@host`)),
  ]
  const own = { contentType: 'application/json', records: 7, secrets }
  const read = body === undefined ? undefined : Uint8Array.from(body)
  const answer =
    status === undefined
      ? { status, why, mayHaveArrived: true }
      : { status, ...rest, body: read, bodyProblem: read === undefined ? ('incomplete' as const) : undefined }
  const outcome = outcomeOf(answer, own, 1_700_000_000_000)
  if (outcome.message !== undefined && status !== undefined) expectOneLine(outcome.message)
  if (
    outcome.kind === 'accepted' &&
    !(Number.isInteger(outcome.rejected) && outcome.rejected >= 0 && outcome.rejected <= 7)
  )
    throw new Error(`${outcome.rejected} of 7 are rejected`)
  const wait = parseRetryAfter(rest.retryAfter, 1_700_000_000_000)
  if (wait !== undefined && !(wait >= 0)) throw new Error(`wait for ${wait} ms`)
})

const contexts = fc.record({
  context: plans,
  traceId: fc.oneof(nastyText, fc.constant('0AF7651916CD43DD8448EB211C80319C'), fc.constant('0'.repeat(32))),
  spanId: fc.oneof(nastyText, fc.constant('B7AD6B7169203331')),
  flags: fc.oneof(fc.integer(), fc.double()),
  throws: fc.boolean(),
})

/** Trace contexts: ids are missing or have the right number of hexadecimal digits. */
export const traceContexts: Target<unknown> = target('trace-contexts', contexts, (given) => {
  const identity = { traceId: given.traceId, spanId: given.spanId, traceFlags: given.flags }
  for (const span of [
    spanContextIn(make(given.context) as never),
    spanContextIn({ getValue: given.throws ? thrower : () => ({ spanContext: () => identity }) } as never),
    validSpanContext(identity),
  ]) {
    if (span === undefined) continue
    if (!/^[\da-f]{32}$/.test(span.traceId) || !/^[\da-f]{16}$/.test(span.spanId)) throw new Error('no ids')
    if (!(Number.isInteger(span.traceFlags) && span.traceFlags >= 0 && span.traceFlags <= 255))
      throw new Error(`flags of ${span.traceFlags}`)
  }
})

const stacks = fc.record({
  message: fc.oneof(nastyText, fc.constant(canary), fc.constant(`two\n    at lines ${canary}`)),
  parts: fc.array(
    fc.oneof(
      nastyText,
      fc.constantFrom('Error: ', '\n    at ', '\r\n', '\tat x', 'Caused by: ', '<message>', '<message>', ' [as x]'),
    ),
    { maxLength: 8 },
  ),
  name: fc.oneof(nastyText, fc.constant('Error'), fc.constant('TypeError')),
  frames: fc.integer({ min: 1, max: 4 }),
  cause: fc.option(plans, { nil: undefined }),
})

/** Stack traces: a redacted message is removed at any position in the stack. */
export const stackTexts: Target<unknown> = target('stacks', stacks, ({ message, parts, name, frames, cause }) => {
  const error = new Error(message, cause === undefined ? {} : { cause: make(cause) })
  const stack = parts.map((part) => (part === '<message>' ? message : part)).join('')
  Object.defineProperty(error, 'stack', { value: stack })
  Object.defineProperty(error, 'name', { value: name })
  const { text = '' } = stacktraceWithCauses(error, exceptionOf(error), {
    ...unlimitedStacktraceOptions,
    maxFrames: frames,
    redact: redactMessage,
  })
  if (message.includes(canary)) expectNoCanary(text, 'a stack')
})

function redactMessage(path: readonly string[]): string | undefined {
  return path.at(-1) === 'message' ? '[REDACTED]' : undefined
}

function expectOneLine(text: string): void {
  expectNoCanary(text, 'a diagnostic')
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text)) throw new Error(`not one line: ${JSON.stringify(text)}`)
  if (text.length > 3_000) throw new Error(`a diagnostic of ${text.length} characters`)
}
