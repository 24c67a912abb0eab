// The part of `yaml` that reads configuration files. It is built into a separate file that is loaded only when a configuration file
// is used.
export { isAlias, isMap, isScalar, isSeq, LineCounter, parseAllDocuments } from 'yaml'
