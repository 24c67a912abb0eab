import { foreignNames, type ForeignNames, type ForeignNameRow } from './foreign-names.ts'

/** Names for the replacement of secrets, in options that are not those of `redact`. */
export const foreignRedactionRows: readonly ForeignNameRow[] = [
  [
    'mask maskValuesOfKeys maskValuesRegEx maskAny redaction redactKeys redactPaths secrets sensitive sensitiveKeys blacklist',
    "write redact: { keys: 'secrets' }",
  ],
  ['maskPlaceholder censor', 'write redact: { censor }'],
]

/** Names for the option `redact`. */
export const foreignRedactOptionNames: ForeignNames = foreignNames([
  ['fields attributes', "write paths: ['user.password']"],
  ['names maskValuesOfKeys secrets sensitive', "write keys: ['password'], or keys: 'secrets'"],
  ['regex regexes regexp maskValuesRegEx text', 'write patterns: [/…/] or names such as email'],
  ['preset presets', "write keys: 'secrets' or patterns: ['email']"],
  ['mask replacement placeholder maskPlaceholder replaceWith value', "write censor: '[REDACTED]'"],
  ['headers', 'write credentialHeaders'],
  ['omit delete drop', 'write remove: true'],
  ['deep depth recursive', 'remove it: keys match at any depth, and ** in a path any depth'],
  ['caseInsensitive ignoreCase', 'remove it: keys ignore case; add the flag i to patterns'],
  ['hash hashLabel', 'write censor: (value) => …'],
  ['serialize', 'remove it: redaction never changes logged objects'],
  ['strict', 'remove it: a value that is not an object has no members to redact'],
])

/** Names for the option `limits`. */
export const foreignLimitNames: ForeignNames = foreignNames([
  ['maxDepth depthLimit nesting', 'write depth'],
  ['maxAttributes attributeCountLimit attributeCount keys', 'write attributes'],
  ['maxItems maxArrayLength edgeLimit breadth maxBreadth arrayLength', 'write items'],
  ['maxStringLength attributeValueLengthLimit maxLength length valueLength messageLength', 'write stringLength'],
  ['maxBytes maxSize size bytes maxRecordBytes recordSize lineBytes maxLineLength', 'write recordBytes'],
  ['stackDepth stackTraceLimit frames maxFrames', 'write stackFrames'],
])
