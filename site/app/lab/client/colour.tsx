'use client'

import { createContext, type ReactNode, useContext, useState } from 'react'

const names = ['ochre', 'slate', 'moss'] as const

const ColourContext = createContext<{ name: string; choose: (name: string) => void }>({
  name: names[0],
  choose: () => {},
})

/** Provides the chosen colour to all components below. */
export function Colour({ children }: { children: ReactNode }): ReactNode {
  const [name, choose] = useState<string>(names[0])
  return <ColourContext value={{ name, choose }}>{children}</ColourContext>
}

/** Buttons that choose the colour. */
export function ColourPicker(): ReactNode {
  const { name, choose } = useContext(ColourContext)
  return (
    <p className="controls">
      {names.map((other) => (
        <button
          key={other}
          type="button"
          className="button"
          aria-pressed={other === name}
          onClick={() => choose(other)}
        >
          {other}
        </button>
      ))}
    </p>
  )
}

/** Shows the chosen colour. */
export function ColourName(): ReactNode {
  return (
    <p>
      Chosen: <strong>{useContext(ColourContext).name}</strong>
    </p>
  )
}
