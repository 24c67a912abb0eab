/** Where a program sends its telemetry. */
export interface TelemetryAddress {
  /** Such as `http://127.0.0.1:4318`. */
  readonly url: string
  /** The token of the viewer; undefined without one. */
  readonly token: string | undefined
}

/**
 * Returns the environment of a program, so that its OpenTelemetry SDK sends to the viewer. Variables that are set already are not changed,
 * except that the token is added to the headers of a signal. It is only set for signals that are sent to the viewer.
 *
 * @param colorDepth - the bits of the colors of the terminal that shows the output, 1 without colors. The program itself writes to a pipe.
 */
export function childEnvironment(
  environment: NodeJS.ProcessEnv,
  address: TelemetryAddress,
  colorDepth: number,
): NodeJS.ProcessEnv {
  const own = withoutEmptyVariables(environment)
  return {
    ...endpointVariables(own, address.url),
    OTEL_LOGS_EXPORTER: 'otlp',
    OTEL_TRACES_EXPORTER: 'otlp',
    // Metrics that are sent elsewhere do not concern the viewer.
    ...(isSentElsewhere(own, 'metrics') ? {} : { OTEL_METRICS_EXPORTER: 'none' }),
    // Records are shown soon after they are logged.
    OTEL_BLRP_SCHEDULE_DELAY: '500',
    OTEL_BSP_SCHEDULE_DELAY: '500',
    ...colorVariables(own, colorDepth),
    ...own,
    ...headerVariables(own, address.token),
  }
}

/** Returns the signals that the program sends to another address, because a variable of the user is set. */
export function signalsSentElsewhere(environment: NodeJS.ProcessEnv): readonly ShownSignal[] {
  return shownSignals.filter((signal) => isSentElsewhere(environment, signal))
}

type ShownSignal = 'logs' | 'traces'
type Signal = ShownSignal | 'metrics'

const shownSignals: readonly ShownSignal[] = ['logs', 'traces']
const signals: readonly Signal[] = [...shownSignals, 'metrics']
const generalPrefix = 'OTEL_EXPORTER_OTLP'

function prefixOf(signal: Signal): string {
  return `${generalPrefix}_${signal.toUpperCase()}`
}

function isSentElsewhere(environment: NodeJS.ProcessEnv, signal: Signal): boolean {
  return isSet(environment, `${generalPrefix}_ENDPOINT`) || isSet(environment, `${prefixOf(signal)}_ENDPOINT`)
}

/** An empty value counts as not set. */
function isSet(environment: NodeJS.ProcessEnv, name: string): boolean {
  return (environment[name] ?? '') !== ''
}

/** An empty variable of OpenTelemetry would replace the value for the viewer, although it counts as not set. */
function withoutEmptyVariables(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => value !== '' || !name.startsWith('OTEL_')),
  )
}

function endpointVariables(environment: NodeJS.ProcessEnv, url: string): NodeJS.ProcessEnv {
  const protocol = 'http/protobuf'
  if (!signals.some((signal) => isSentElsewhere(environment, signal)))
    return { [`${generalPrefix}_ENDPOINT`]: url, [`${generalPrefix}_PROTOCOL`]: protocol }
  // A general variable would apply to the signals that are sent elsewhere.
  return ofViewerSignals(environment, (signal) => [
    [`${prefixOf(signal)}_ENDPOINT`, `${url}/v1/${signal}`],
    [`${prefixOf(signal)}_PROTOCOL`, protocol],
  ])
}

/** Returns the headers of the signals that are sent to the viewer: those of the user, and the token. */
function headerVariables(environment: NodeJS.ProcessEnv, token: string | undefined): NodeJS.ProcessEnv {
  if (token === undefined) return {}
  return ofViewerSignals(environment, (signal) => {
    const name = `${prefixOf(signal)}_HEADERS`
    // Most SDKs ignore the general variable if that of the signal is set.
    const headers = (environment[name] ?? environment[`${generalPrefix}_HEADERS`] ?? '')
      .split(',')
      .filter((header) => header.trim() !== '' && !/^\s*authorization\s*=/i.test(header))
    return [[name, [...headers, `authorization=Bearer%20${encodeURIComponent(token)}`].join(',')]]
  })
}

function ofViewerSignals(
  environment: NodeJS.ProcessEnv,
  variablesOf: (signal: ShownSignal) => readonly (readonly [string, string])[],
): NodeJS.ProcessEnv {
  const sentHere = shownSignals.filter((signal) => !isSentElsewhere(environment, signal))
  return Object.fromEntries(sentHere.flatMap((signal) => variablesOf(signal)))
}

/** Returns the variables by which programs write colors to a pipe. */
function colorVariables(environment: NodeJS.ProcessEnv, colorDepth: number): NodeJS.ProcessEnv {
  // Node warns about NO_COLOR together with FORCE_COLOR.
  if (colorDepth <= 1 || isSet(environment, 'NO_COLOR') || isSet(environment, 'NODE_DISABLE_COLORS')) return {}
  return { FORCE_COLOR: colorDepth >= 24 ? '3' : colorDepth >= 8 ? '2' : '1', CLICOLOR_FORCE: '1' }
}
