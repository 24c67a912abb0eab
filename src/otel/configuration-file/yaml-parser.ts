// The part of `yaml` that reads configuration files. It is built into a file of its own, which only programs with a
// configuration file load.
export { isAlias, isMap, isScalar, isSeq, LineCounter, parseAllDocuments } from 'yaml'
