import type { Encoding } from '../../../src/encode/encoding.ts'
import { jsonLines } from '../../../src/encode/json/json-lines.ts'
import { otlpJsonLines } from '../../../src/encode/otlp/otlp-json.ts'
import { otlpEncoding } from '../../../src/encode/otlp/otlp-request.ts'
import { pretty } from '../../../src/encode/pretty/pretty.ts'
import { someLayouts } from './layouts.ts'

/** Every form in which a record leaves, by name: every layout, adjusted ones among them, and all that is no layout. */
export const formats: readonly (readonly [string, Encoding])[] = [
  ...someLayouts.map(([name, layout]): [string, Encoding] => [`the layout ${name}`, jsonLines(layout)]),
  ['the layout otel, with the whole resource', jsonLines({ base: 'otel', resource: 'all', attributes: 'flat' })],
  ['pretty', pretty({ color: false })],
  ['pretty in color', pretty({ color: true })],
  ['lines of the File Exporter', otlpJsonLines()],
  ['OTLP/JSON', otlpEncoding('http/json')],
  ['OTLP/protobuf', otlpEncoding('http/protobuf')],
]
