/** The version of this package, also the resource attribute `telemetry.sdk.version`. A test compares it with package.json. */
export const sdkVersion = '0.1.0'
