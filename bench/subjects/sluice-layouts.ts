import { sluice, sluiceSubject } from './sluice.ts'
import type { Subject } from './subject.ts'

/** The names of the fields in a layout, for records without a span. */
interface FieldNames {
  readonly time: string
  readonly level: string
  readonly message: string
  /** The value of level info. */
  readonly info: string | number
  /** Attributes are at the top level. */
  readonly isFlat?: boolean
}

export const sluiceOtelLayout = inLayout('otel', {
  time: 'timestamp',
  level: 'severity_text',
  message: 'body',
  info: 'INFO',
})
export const sluicePinoLayout = inLayout('pino', {
  time: 'time',
  level: 'level',
  message: 'msg',
  info: 30,
  isFlat: true,
})
export const sluiceGcpLayout = inLayout('gcp', {
  time: 'time',
  level: 'severity',
  message: 'message',
  info: 'INFO',
})
export const sluiceEcsLayout = inLayout('ecs', {
  time: '@timestamp',
  level: 'log.level',
  message: 'message',
  info: 'info',
})
export const sluiceDatadogLayout = inLayout('datadog', {
  time: 'timestamp',
  level: 'status',
  message: 'message',
  info: 'info',
  isFlat: true,
})

/** Creates a subject of sluice with another layout. */
function inLayout(layout: 'otel' | 'pino' | 'gcp' | 'ecs' | 'datadog', names: FieldNames): Subject {
  const title = `sluice, fdExporter({ onFull: "block", maxQueueBytes: 64 MiB, layout: "${layout}" })`
  const options = { onFull: 'block', maxQueueBytes: 64 * 1024 * 1024, layout } as const
  const readLine = (line: Readonly<Record<string, unknown>>): ReturnType<Subject['read']> => {
    const { [names.time]: time, [names.level]: level, [names.message]: message, attributes, ...rest } = line
    return {
      time: typeof time === 'number' ? time : Date.parse(String(time)),
      level: level === names.info ? 'info' : String(level),
      message,
      attributes: { ...(names.isFlat === true ? rest : {}), ...(attributes as object | undefined) },
    }
  }
  return sluiceSubject({ title, whenFull: sluice.whenFull }, options, { readLine })
}
