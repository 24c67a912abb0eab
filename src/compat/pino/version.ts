/** The version of pino whose interface this is. */
export const version = '10.4.0'
