import type { ReactNode } from 'react'
import type { Glaze, Kind, Product } from '../catalogue.ts'

type Shape = { readonly body: string; readonly handle?: string }

// Left halves of the outlines in a square of 200 × 200, to be mirrored at x = 100.
const shapes: Readonly<Record<Kind, Shape>> = {
  cup: {
    body: 'M58 70 C60 110 62 140 76 158 L124 158 C138 140 140 110 142 70 Z',
    handle: 'M140 84 C178 78 178 132 134 134',
  },
  bowl: { body: 'M30 86 C36 128 62 152 82 158 L118 158 C138 152 164 128 170 86 Z' },
  plate: { body: 'M12 130 C40 134 60 150 76 158 L124 158 C140 150 160 134 188 130 Z' },
  jug: {
    body: 'M78 40 C82 66 54 88 54 122 C54 144 68 154 76 158 L124 158 C132 154 146 144 146 122 C146 88 118 66 122 40 L128 34 C112 38 92 40 78 40 Z',
    handle: 'M82 56 C34 44 26 118 58 130',
  },
  vase: {
    body: 'M88 30 C90 62 92 76 74 96 C56 116 60 146 80 158 L120 158 C140 146 144 116 126 96 C108 76 110 62 112 30 Z',
  },
}

// Products with their own shape.
const productShapes: Readonly<Record<string, Shape>> = {
  'tall-mug': {
    body: 'M62 44 C64 90 64 130 72 158 L128 158 C136 130 136 90 138 44 Z',
    handle: 'M137 66 C182 62 180 132 133 132',
  },
  'little-cup': {
    body: 'M68 94 C68 124 74 146 84 158 L116 158 C126 146 132 124 132 94 Z',
    handle: 'M131 104 C156 100 156 136 125 138',
  },
  'rice-bowl': {
    body: 'M46 92 C48 132 70 152 86 158 L114 158 C130 152 152 132 154 92 Z',
  },
  'salad-bowl': {
    body: 'M10 92 C22 132 58 154 80 158 L120 158 C142 154 178 132 190 92 Z',
  },
  'side-plate': {
    body: 'M36 136 C58 140 72 152 82 158 L118 158 C128 152 142 140 164 136 Z',
  },
  'milk-jug': {
    body: 'M72 84 C76 100 62 112 62 132 C62 148 74 155 80 158 L120 158 C126 155 138 148 138 132 C138 112 122 100 126 84 L134 78 C118 82 94 84 72 84 Z',
    handle: 'M74 96 C44 88 38 138 66 146',
  },
  'moon-vase': {
    body: 'M84 38 C86 46 84 50 76 54 C22 76 30 146 82 158 L118 158 C170 146 178 76 124 54 C116 50 114 46 116 38 Z',
  },
}

const colours: Readonly<Record<Glaze, string>> = {
  chalk: '#efe9dd',
  ash: '#b9b3a4',
  celadon: '#9db8a3',
  cobalt: '#41597e',
  iron: '#74422c',
}

/** Drawing of a product. */
export function Vessel({ product, label }: { product: Product; label?: string }): ReactNode {
  const shape = productShapes[product.slug] ?? shapes[product.kind]
  const colour = colours[product.glaze]
  return (
    <svg
      viewBox="0 0 200 200"
      className="vessel"
      role={label ? 'img' : 'presentation'}
      aria-label={label}
    >
      <ellipse cx="104" cy="163" rx="58" ry="6" fill="#000" opacity="0.13" />
      <path d="M80 156 L83 164 L117 164 L120 156 Z" fill="#b98f6c" />
      {shape.handle && (
        <path d={shape.handle} fill="none" stroke={colour} strokeWidth="9" strokeLinecap="round" />
      )}
      <path d={shape.body} fill={colour} />
      <path d={shape.body} fill="url(#sheen)" />
    </svg>
  )
}

/**
 * Gradient for the light on all drawings. Render it in the root layout, because a gradient in a hidden
 * page paints nothing.
 */
export function Sheen(): ReactNode {
  return (
    <svg width="0" height="0" className="sheen" aria-hidden="true">
      <linearGradient id="sheen">
        <stop offset="0" stopColor="#000" stopOpacity="0.16" />
        <stop offset="0.28" stopColor="#fff" stopOpacity="0.28" />
        <stop offset="0.5" stopColor="#fff" stopOpacity="0" />
        <stop offset="1" stopColor="#000" stopOpacity="0.3" />
      </linearGradient>
    </svg>
  )
}
