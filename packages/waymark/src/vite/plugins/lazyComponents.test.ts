import { parseAst } from 'vite'
import { expect, test } from 'vitest'
import { ownFile } from '../config/ownFiles.ts'
import { replaceLazy } from './lazyComponents.ts'

const file = JSON.stringify(ownFile('lazy'))

test.each([
  [
    'imported by its name',
    `import { Suspense, lazy } from 'react'\nconst Part = lazy(() => import('./part'))`,
    `import { Suspense, lazy as __react_lazy1 } from 'react'\nconst Part = lazy(() => import('./part'))\nimport { lazy as lazy } from ${file}\n`,
  ],
  [
    'imported by another name',
    `import { lazy as later } from 'react'; later(load)`,
    `import { lazy as __react_lazy1 } from 'react'; later(load)\nimport { lazy as later } from ${file}\n`,
  ],
  [
    'of the default export',
    `import React, { useState } from 'react'; React.lazy(load); React.memo(Part)`,
    `import React, { useState } from 'react'; __waymark_lazy(load); React.memo(Part)\nimport { lazy as __waymark_lazy } from ${file}\n`,
  ],
  [
    'of the namespace',
    `import * as R from 'react'; f(R.lazy, R.lazy(load))`,
    `import * as R from 'react'; f(__waymark_lazy, __waymark_lazy(load))\nimport { lazy as __waymark_lazy } from ${file}\n`,
  ],
  [
    'by its name and as a member',
    `import React, { lazy } from 'react'; lazy(load); React.lazy(load)`,
    `import React, { lazy as __react_lazy1 } from 'react'; lazy(load); __waymark_lazy(load)\nimport { lazy as lazy, lazy as __waymark_lazy } from ${file}\n`,
  ],
])('replaces React’s lazy %s', async (_, code, expected) => {
  expect(await replaceLazy(code)).toBe(expected)
  expect(() => parseAst(expected)).not.toThrow()
})

test.each([
  `import { lazy } from 'other'; lazy(load)`,
  `import { memo } from 'react'; other.lazy(load)`,
  `import React from 'react'; React['lazy'](load)`,
  `import React from 'react'; React.memo(load, { lazy: true })`,
  `const { lazy } = options`,
])('leaves %s', async (code) => {
  expect(await replaceLazy(code)).toBeNull()
})
