import { fixed32Tag, fixed64Tag, lengthTag, varintTag } from './proto-reader.ts'

// The fields of `LogRecord` in opentelemetry/proto/logs/v1/logs.proto.
export const timeTag: number = fixed64Tag(1)
export const observedTimeTag: number = fixed64Tag(11)
export const severityNumberTag: number = varintTag(2)
export const severityTextTag: number = lengthTag(3)
export const bodyTag: number = lengthTag(5)
export const attributeTag: number = lengthTag(6)
export const droppedAttributesTag: number = varintTag(7)
export const flagsTag: number = fixed32Tag(8)
export const traceIdTag: number = lengthTag(9)
export const spanIdTag: number = lengthTag(10)
export const eventNameTag: number = lengthTag(12)
