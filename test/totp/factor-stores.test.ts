import { describe } from 'vitest'
import { factorKinds } from './factor-kinds.ts'
import { testFactorStore } from './store-suite.ts'

const kinds = factorKinds.map(
  ([kind, open], index) => [kind, open, index === 0 ? 'hashed' : 'plain'] as const,
)

describe.each(kinds)('a second factor in %s', (_kind, open, codes) => testFactorStore(open, codes))
