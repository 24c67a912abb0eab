import type { Encoding } from '../../../src/encode/encoding.ts'
import { jsonLines } from '../../../src/encode/json/json-lines.ts'
import { otlpJsonLines } from '../../../src/encode/otlp/otlp-json.ts'
import { otlpEncoding } from '../../../src/encode/otlp/otlp-request.ts'
import { pretty } from '../../../src/exporters/pretty-encoding.ts'
import { testLayouts } from './layouts.ts'

/** Every output format by name: every layout, including adjusted ones, and the formats that are not layouts. */
export const formats: readonly (readonly [string, Encoding])[] = [
  ...testLayouts.map(([name, layout]): [string, Encoding] => [`the layout ${name}`, jsonLines(layout)]),
  ['the layout otel, with the whole resource', jsonLines({ base: 'otel', resource: 'all', attributes: 'flat' })],
  ['pretty', pretty({ colors: false })],
  ['pretty in color', pretty({ colors: true })],
  ['lines of the File Exporter', otlpJsonLines()],
  ['OTLP/JSON', otlpEncoding('http/json')],
  ['OTLP/protobuf', otlpEncoding('http/protobuf')],
]
