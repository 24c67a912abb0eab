import { foreignLimitNames } from '../../options/foreign-redaction-names.ts'
import { foreignProfileWords } from '../../options/foreign-values.ts'
import { exportersCheck } from '../../pipeline/exporter-checks.ts'
import { meterProviderCheck } from '../../pipeline/meter.ts'
import {
  anything,
  callback,
  choice,
  either,
  flag,
  integer,
  list,
  maxTimerMillis,
  object,
  options as nested,
  table,
  text,
  typeName,
  type Check,
} from '../../options/option-checks.ts'
import { profileNames } from '../../lifecycle/profiles.ts'
import { baggageName } from '../api/baggage-selection.ts'
import { settingsSchema } from './configurator-checks.ts'
import type { LoggerProviderOptions } from './provider-options.ts'
import { isResource, type ResourceDetector } from './provider-resource.ts'
import type { OtelLogRecordProcessor } from '../api/types.ts'
import { membersOf } from '../../options/own-members.ts'

const processor: Check = (value, where, problems) => {
  const given = (typeof value === 'object' && value !== null ? value : {}) as Partial<OtelLogRecordProcessor>
  const { onEmit, shutdown } = membersOf(given, ['onEmit', 'shutdown'])
  if (typeof onEmit === 'function' && typeof shutdown === 'function') return
  problems.push({
    code: 'SLUICE_OPTION_TYPE',
    path: where,
    message: 'must be an OpenTelemetry LogRecordProcessor, with the methods onEmit and shutdown',
  })
}

const resourceValue: Check = (value, where, problems) => {
  object(value, where, problems)
  // The attributes of an OpenTelemetry resource are not checked: they may be promises, or values of other types.
  if (isResource(value)) return
  table(either('a string, a number or a boolean', text(), flag, number))(value, where, problems)
}

const number: Check = (value, where, problems) => {
  if (typeof value !== 'number')
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: `must be a number, not ${typeName(value)}` })
}

const detector: Check = (value, where, problems) => {
  if (typeof (value as Partial<ResourceDetector> | null | undefined)?.detect === 'function') return
  problems.push({
    code: 'SLUICE_OPTION_TYPE',
    path: where,
    message: 'must be a resource detector: an object with the method detect',
  })
}

/** The checks of `LoggerProviderOptions`. Options with `anything` are checked where they are read. */
export const providerSchema: Readonly<Record<keyof LoggerProviderOptions, Check>> = {
  ...settingsSchema,
  exporter: (value, where, problems) =>
    Array.isArray(value) && value.length === 0 ? undefined : exportersCheck(value, where, problems),
  configFile: text(/./, 'be the path of a file'),
  profile: choice(profileNames, foreignProfileWords),
  processors: list(processor),
  resource: resourceValue,
  detectors: list(detector),
  resourceTimeoutMillis: integer(0, maxTimerMillis),
  limits: nested(
    {
      depth: anything,
      attributes: anything,
      items: anything,
      stringLength: anything,
      recordBytes: anything,
      stackFrames: anything,
    },
    foreignLimitNames,
  ),
  redact: anything,
  serializers: table(callback),
  baggage: list(baggageName),
  traceContext: flag,
  handleExit: flag,
  handleSignals: flag,
  exitTimeoutMillis: integer(0),
  clock: callback,
  onDiagnostic: callback,
  meterProvider: (value, where, problems) =>
    value === 'global' ? undefined : meterProviderCheck(value, where, problems),
}
