import { parseAst } from 'vite'
import { expect, test } from 'vitest'
import { frameworkFile } from '../config/frameworkFiles.ts'
import { replaceLazy } from './lazyComponents.ts'

const file = JSON.stringify(frameworkFile('lazy'))

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
  [
    'by a computed name',
    `import React from 'react'; React['lazy'](load)`,
    `import React from 'react'; __waymark_lazy(load)\nimport { lazy as __waymark_lazy } from ${file}\n`,
  ],
  [
    'destructured from the module',
    `import React from 'react'; const { lazy, memo: m, ...rest } = React; lazy(load)`,
    `import React from 'react'; const { lazy, memo: m, ...rest } = { ...React, lazy: __waymark_lazy }; lazy(load)\nimport { lazy as __waymark_lazy } from ${file}\n`,
  ],
  [
    'destructured from the module later',
    `import * as R from 'react'; let lazy; ({ lazy } = R)`,
    `import * as R from 'react'; let lazy; ({ lazy } = { ...R, lazy: __waymark_lazy })\nimport { lazy as __waymark_lazy } from ${file}\n`,
  ],
  [
    'but not a parameter with the same name',
    `import React from 'react'; const f = (React) => React.lazy(1); React.lazy(load)`,
    `import React from 'react'; const f = (React) => React.lazy(1); __waymark_lazy(load)\nimport { lazy as __waymark_lazy } from ${file}\n`,
  ],
  [
    "but not a block's variable with the same name",
    `import React from 'react'; { const React = other; React.lazy(1) } f(() => React.lazy(load))`,
    `import React from 'react'; { const React = other; React.lazy(1) } f(() => __waymark_lazy(load))\nimport { lazy as __waymark_lazy } from ${file}\n`,
  ],
  [
    'exported again',
    `export { memo, lazy, use as read } from 'react'`,
    `export { memo, use as read } from 'react'\nexport { lazy as lazy } from ${file}\n`,
  ],
  [
    're-exported under a different name, on several lines',
    `export {\n  lazy as later,\n} from 'react'\nnext()`,
    `export {  } from 'react'\n\n\nnext()\nexport { lazy as later } from ${file}\n`,
  ],
])("replaces React's lazy %s", async (_, code, expected) => {
  expect(await replaceLazy(code)).toBe(expected)
  expect(() => parseAst(expected)).not.toThrow()
})

test.each([
  `import { lazy } from 'other'; lazy(load)`,
  `import { memo } from 'react'; other.lazy(load)`,
  `import React from 'react'; React[lazy](load)`,
  `import React from 'react'; React.memo(load, { lazy: true })`,
  `const { lazy } = options`,
  `export { lazy } from 'other'`,
  // Modules in which a local declaration hides the import.
  `import React from 'react'; function f(React) { return React.lazy }`,
  `import React from 'react'; const f = ({ a: [React = 1], ...rest }) => React.lazy`,
  `import React from 'react'; const f = (...React) => React.lazy`,
  `import React from 'react'; function f() { if (a) { var React = b } return React.lazy }`,
  `import React from 'react'; function f() { React.lazy; function React() {} }`,
  `import React from 'react'; f(function React() { return React.lazy })`,
  `import React from 'react'; f(class React { a = React.lazy })`,
  `import React from 'react'; try {} catch (React) { React.lazy }`,
  `import React from 'react'; for (const React of all) React.lazy`,
  `import React from 'react'; switch (a) { case 1: let React; React.lazy }`,
  `import React from 'react'; class A { static { let React = 1; React.lazy } }`,
  `import React from 'react'; { const React = a; const { lazy } = React }`,
  // A module that assigns or deletes `lazy` doesn't call it.
  `import R from 'react'; R.lazy = 1`,
  `import R from 'react'; R.lazy ??= 1; R.lazy++; delete R.lazy`,
  `import R from 'react'; [R.lazy, { a: R.lazy = 2 }] = [1, 2]`,
  `import R from 'react'; for (R.lazy of all) { for (R.lazy in all); }`,
])('leaves %s', async (code) => {
  expect(await replaceLazy(code)).toBeNull()
})
