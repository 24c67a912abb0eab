import { bundlerSuite } from '../bundles.ts'

bundlerSuite(import.meta.url)
