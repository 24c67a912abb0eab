import { prettyEncoding } from '../encode/pretty/pretty.ts'
import { nestedPrettyOptions, prettySchema, type PrettyOptions } from '../encode/pretty/settings.ts'
import type { Encoding } from '../encode/encoding.ts'
import { plainDevice } from '../platform/node/terminal.ts'
import { copyAndCheckOptions, throwIfInvalid } from './exporter-options.ts'

/**
 * Creates an encoding that writes human-readable lines: `10:56:03.123 INFO  order 42 placed  total=12.5`. The format may change between
 * versions. For `fdExporter` and other exporters of lines, set their options `format: 'pretty'` and `pretty` instead.
 *
 * @throws ConfigurationError if the options are invalid.
 */
export function pretty(options: PrettyOptions = {}): Encoding {
  const { checkedOptions, problems } = copyAndCheckOptions('pretty', options, prettySchema, nestedPrettyOptions)
  throwIfInvalid(problems)
  return prettyEncoding(checkedOptions, plainDevice())
}
