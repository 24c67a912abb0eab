/** Where a program sends its telemetry. */
export interface TelemetryAddress {
  /** Such as `http://127.0.0.1:4318`. */
  readonly url: string
  /** The token of the viewer; undefined without one. */
  readonly token: string | undefined
}

/**
 * Returns the environment of a program, so that its OpenTelemetry SDK sends to the viewer. Variables that are set already are not changed.
 *
 * @param usesColors - whether the output of the program is shown on a terminal with colors. The program writes to a pipe.
 */
export function childEnvironment(
  environment: NodeJS.ProcessEnv,
  { url, token }: TelemetryAddress,
  usesColors: boolean,
): NodeJS.ProcessEnv {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    OTEL_LOGS_EXPORTER: 'otlp',
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_METRICS_EXPORTER: 'none',
    // Records are shown soon after they are logged.
    OTEL_BLRP_SCHEDULE_DELAY: '500',
    OTEL_BSP_SCHEDULE_DELAY: '500',
    ...(token === undefined ? {} : { OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${token}` }),
    ...(usesColors ? { FORCE_COLOR: '1', CLICOLOR_FORCE: '1' } : {}),
    ...environment,
  }
}
