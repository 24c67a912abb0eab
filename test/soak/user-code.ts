import { resourceFromAttributes } from '@opentelemetry/resources'
import { otlpEncoding } from '../../src/encode/otlp/otlp-request.ts'
import { createLogger, type Exporter, type Handler } from '../../src/entries/index.ts'
import { createLoggerProvider } from '../../src/entries/otel.ts'
import type { Stats } from '../../src/logger/types.ts'
import type { Random } from './random.ts'

/** Misbehavior of user code or another library for some time. */
export const misbehaviors = ['rejects', 'throws', 'never settles', 'pollutes Object.prototype'] as const
export type Misbehavior = (typeof misbehaviors)[number]

/** Options of this package that are not set here and have no meaning in Node. */
const polluted = [
  'onFull',
  'serializers',
  'redact',
  'maxQueueSize',
  'profile',
  'sharedPipe',
  'credentialHeaders',
  'exporter',
]
const everyObject = Object.prototype as unknown as Record<string, unknown>
const serviceName = 'soak'
const never = new Promise<never>(() => {})
const exportTimeoutMillis = 200

/** User code of every kind in a separate logger and provider. Compares their delivery statistics with the exported records. */
export class UserCode {
  private misbehavior: Misbehavior | undefined
  private until = 0
  private readonly errors: string[] = []
  private readonly counted = { logger: 0, provider: 0 }
  private readonly logger
  private readonly provider
  private readonly api

  constructor(random: Random) {
    this.logger = createLogger({
      exporter: this.exporter('logger'),
      serializers: { checked: (value: unknown) => this.run(value) },
      redact: { keys: ['secret'], censor: () => this.run('[REDACTED]') },
      handler: (next) => this.handler(next),
      enrich: () => this.run({ enriched: true }) as object,
      onDiagnostic: () => this.run(undefined) as undefined,
    })
    // Pending for longer than records wait, forever, or for a while.
    const attribute = random.pick<() => Promise<string>>([
      () => never,
      () => Promise.reject(new Error('no attribute')),
      () => new Promise((resolve) => setTimeout(resolve, random.whole(10, 4_000), 'late').unref()),
    ])()
    this.provider = createLoggerProvider({
      resource: resourceFromAttributes({ 'service.name': serviceName, pending: attribute }),
      exporter: this.exporter('provider'),
      onDiagnostic: () => this.run(undefined) as undefined,
    })
    this.api = this.provider.getLogger('soak')
  }

  misbehave(kind: Misbehavior, millis: number): void {
    this.misbehavior = kind
    this.until = performance.now() + millis
    if (kind !== 'pollutes Object.prototype') return
    for (const name of polluted) everyObject[name] = 'polluted'
    setTimeout(() => {
      for (const name of polluted) Reflect.deleteProperty(everyObject, name)
    }, millis)
  }

  log(seq: number): void {
    try {
      this.logger.info('record {seq}', { seq, checked: 1, secret: 2 })
      this.logger.child({ child: true }).warn({ seq, checked: [1] })
      this.api.emit({ body: 'record', attributes: { seq } })
    } catch (error) {
      this.errors.push(`a log call with user code threw: ${String(error)}`)
    }
  }

  async flush(timeoutMillis: number): Promise<void> {
    await Promise.all([this.logger.flush({ timeoutMillis }), this.provider.forceFlush({ timeoutMillis })])
    this.check('logger', this.logger.stats())
    this.check('provider', this.provider.stats())
  }

  async shutdown(): Promise<void> {
    await Promise.all([this.logger.shutdown(), this.provider.shutdown()])
    this.check('logger', this.logger.stats())
    this.check('provider', this.provider.stats())
  }

  /** Returns the errors since the last call. */
  wrong(): string[] {
    return this.errors.splice(0)
  }

  private check(which: keyof UserCode['counted'], stats: Stats): void {
    for (const { accepted, written, queued, unknown, dropped } of stats.exporters) {
      const sum = written + queued + unknown + dropped.total
      if (accepted !== sum) this.errors.push(`user code: the ${which} accepted ${accepted}, but accounts for ${sum}`)
      if (written !== this.counted[which])
        this.errors.push(`user code: the ${which} counted ${written} as written, and ${this.counted[which]} were`)
    }
  }

  /** Applies the current misbehavior, or returns `usual`. */
  private run(usual: unknown): unknown {
    switch (performance.now() < this.until ? this.misbehavior : undefined) {
      case 'rejects':
        return Promise.reject(new Error('user code rejects'))
      case 'throws':
        throw new Error('user code throws')
      case 'never settles':
        return never
      default:
        return usual
    }
  }

  private handler(next: Handler): Handler {
    return {
      handle: (record) => {
        next.handle(record)
        return this.run(undefined) as undefined
      },
    }
  }

  private exporter(which: keyof UserCode['counted']): Exporter {
    return {
      name: `user code of the ${which}`,
      encoding: otlpEncoding('http/json'),
      schedule: 'turn',
      delivery: { exportTimeoutMillis, maxQueueSize: 1_000 },
      export: async (batch) => {
        await this.run(undefined)
        const records = batch.records()
        if (which === 'provider' && !batch.sources().every(({ resource }) => resource.serviceName === serviceName))
          this.errors.push('user code: a record of the provider has no service.name')
        this.counted[which] += records.length
        return { status: 'accepted' }
      },
    }
  }
}
