/** Where a program sends its telemetry. */
export interface TelemetryAddress {
  /** Such as `http://127.0.0.1:4318`. */
  readonly url: string
  /** The token of the viewer; undefined without one. */
  readonly token: string | undefined
}

/**
 * Returns the environment of a program, so that its OpenTelemetry SDK sends to the viewer. Variables that are set already are not changed, and
 * the token is only sent to the viewer.
 *
 * @param colorDepth - the bits of the colors of the terminal that shows the output, 1 without colors. The program itself writes to a pipe.
 */
export function childEnvironment(
  environment: NodeJS.ProcessEnv,
  address: TelemetryAddress,
  colorDepth: number,
): NodeJS.ProcessEnv {
  return {
    ...endpointVariables(environment, address),
    OTEL_LOGS_EXPORTER: 'otlp',
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_METRICS_EXPORTER: 'none',
    // Records are shown soon after they are logged.
    OTEL_BLRP_SCHEDULE_DELAY: '500',
    OTEL_BSP_SCHEDULE_DELAY: '500',
    ...colorVariables(environment, colorDepth),
    ...environment,
  }
}

/** Returns the signals that the program sends to another address, because a variable of the user is set. */
export function signalsSentElsewhere(environment: NodeJS.ProcessEnv): readonly Signal[] {
  return signals.filter((signal) => isSet(environment, generalEndpoint) || isSet(environment, endpointOf(signal)))
}

type Signal = 'logs' | 'traces'

const signals: readonly Signal[] = ['logs', 'traces']
const generalEndpoint = 'OTEL_EXPORTER_OTLP_ENDPOINT'

function endpointOf(signal: Signal): string {
  return `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`
}

/** An empty value counts as not set. */
function isSet(environment: NodeJS.ProcessEnv, name: string): boolean {
  return (environment[name] ?? '') !== ''
}

function endpointVariables(environment: NodeJS.ProcessEnv, { url, token }: TelemetryAddress): NodeJS.ProcessEnv {
  const elsewhere = signalsSentElsewhere(environment)
  const protocol = 'http/protobuf'
  const headers = token === undefined ? undefined : `authorization=Bearer%20${encodeURIComponent(token)}`
  if (elsewhere.length === 0)
    return defined({
      [generalEndpoint]: url,
      OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
      OTEL_EXPORTER_OTLP_HEADERS: headers,
    })
  return Object.assign(
    {},
    ...signals
      .filter((signal) => !elsewhere.includes(signal))
      .map((signal) => {
        const prefix = `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}`
        return defined({
          [endpointOf(signal)]: `${url}/v1/${signal}`,
          [`${prefix}_PROTOCOL`]: protocol,
          [`${prefix}_HEADERS`]: headers,
        })
      }),
  ) as NodeJS.ProcessEnv
}

function defined(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined))
}

/** Returns the variables by which programs write colors to a pipe. */
function colorVariables(environment: NodeJS.ProcessEnv, colorDepth: number): NodeJS.ProcessEnv {
  // Node warns about NO_COLOR together with FORCE_COLOR.
  if (colorDepth <= 1 || isSet(environment, 'NO_COLOR') || isSet(environment, 'NODE_DISABLE_COLORS')) return {}
  return { FORCE_COLOR: colorDepth >= 24 ? '3' : colorDepth >= 8 ? '2' : '1', CLICOLOR_FORCE: '1' }
}
