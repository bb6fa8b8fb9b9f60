import { describe } from 'vitest'
import { factorKinds } from './factor-kinds.ts'
import { testFactorStore } from './store-suite.ts'

describe.each(factorKinds)('a second factor in %s', (_kind, open) => testFactorStore(open))
