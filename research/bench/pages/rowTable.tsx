'use client'
import { useState } from 'react'
import type { Row } from './lists.ts'

/** A table that highlights the row on which the visitor clicked. */
export function RowTable({ list }: { list: readonly Row[] }) {
  const [selected, select] = useState('')
  return (
    <table>
      <tbody>
        {list.map(({ id, name }) => (
          <tr
            key={id}
            className={id === selected ? 'selected' : undefined}
            onClick={() => select(id)}
          >
            <td>{id}</td>
            <td>{name}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
