/** Members that a logger adds to each record. */
// oxlint-disable-next-line typescript/no-explicit-any -- the bindings have the types of the caller
export type Bindings = Record<string, any>

/** Returns what is logged instead of a value. */
// oxlint-disable-next-line typescript/no-explicit-any -- the parameter has the type of the key's values
export type SerializerFn = (value: any) => unknown

/** The content of a parsed line. */
// oxlint-disable-next-line typescript/no-explicit-any -- lines can contain any members
export type LogDescriptor = Record<string, any>
