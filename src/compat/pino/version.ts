/** The version of pino whose interface is implemented. */
export const version = '10.4.0'
