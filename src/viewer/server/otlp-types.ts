/** The content types of OTLP/HTTP. */
export const protobufType = 'application/x-protobuf'
export const jsonType = 'application/json'
