/**
 * Attributes of one record. Each is added under a name that stands in the code, in an order that is always the same, so that V8 takes
 * a step it knows; and none that is undefined: it would be none in the line as well, but each of them costs the encoder.
 */
export type Fields = Record<string, unknown>
