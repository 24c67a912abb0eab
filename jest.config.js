import './scripts/node-version.js'

export default {
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testEnvironment: 'node',
  testTimeout: 60_000,
  maxWorkers: 2,
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/support/jest/transformer.js' },
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  reporters: [
    'default',
    '<rootDir>/test/support/jest/fault-rows-reporter.js',
    '<rootDir>/test/support/jest/last-line-reporter.js',
  ],
  coverageProvider: 'v8',
  collectCoverageFrom: ['src/**/*.ts'],
}
