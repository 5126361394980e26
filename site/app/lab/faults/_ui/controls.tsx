'use client'

import { type ReactNode, useEffect, useState } from 'react'
import styles from './controls.module.css'
import { type FaultSettings, labFaultKinds, labFaults, type SeenRequest } from './faults.ts'
import { currentFault, onSeen, removeWorker, setFault } from './worker.ts'

type State = 'off' | 'on' | 'unavailable'

/** Chooses a fault and the responses to which it applies. */
export function FaultControls(): ReactNode {
  const [fault, setName] = useState('none')
  const [on, setOn] = useState<readonly string[]>(['data'])
  const [state, setState] = useState<State>('off')
  useEffect(() => {
    const adopt = (now: FaultSettings) => {
      setName(now.fault)
      setOn(now.on)
      setState('on')
    }
    // Ignore errors from blocked storage, because the browser then doesn't allow a worker either.
    currentFault().then(
      (now) => now && adopt(now),
      () => {},
    )
  }, [])

  async function choose(settings: FaultSettings) {
    setName(settings.fault)
    setOn(settings.on)
    try {
      if (settings.fault === 'none') await removeWorker()
      else await setFault(settings)
      setState(settings.fault === 'none' ? 'off' : 'on')
    } catch {
      setState('unavailable')
    }
  }

  const toggle = (kind: string) =>
    on.includes(kind) ? on.filter((k) => k !== kind) : [...on, kind]
  return (
    <div className="stage" data-waymark-volatile>
      <label className="field">
        <span>Fault</span>
        <select value={fault} onChange={(event) => choose({ fault: event.target.value, on })}>
          {labFaults.map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <Kinds on={on} toggle={(kind) => choose({ fault, on: toggle(kind) })} />
      <p className="quiet" role="status">
        {stateTexts[state]}
      </p>
      <Seen />
    </div>
  )
}

/** Checkboxes for the kinds of responses. */
function Kinds({
  on,
  toggle,
}: {
  on: readonly string[]
  toggle: (kind: string) => unknown
}): ReactNode {
  return (
    <fieldset className={styles.kinds}>
      <legend>Applies to</legend>
      {labFaultKinds.map(({ name, title }) => (
        <label key={name}>
          <input type="checkbox" checked={on.includes(name)} onChange={() => toggle(name)} />{' '}
          {title}
        </label>
      ))}
    </fieldset>
  )
}

const stateTexts: Readonly<Record<State, string>> = {
  off: 'No fault is active.',
  on: 'The fault is active, for the targets and in this browser only.',
  unavailable: 'Service workers aren’t available. Open the site with https: or on localhost.',
}

function Seen(): ReactNode {
  const [seen, setSeen] = useState<readonly (SeenRequest & { readonly id: number })[]>([])
  useEffect(
    () => onSeen((one) => setSeen((all) => [...all.slice(-5), { ...one, id: performance.now() }])),
    [],
  )
  if (seen.length === 0) return null
  return (
    <ol className={styles.seen} aria-label="Requests">
      {seen.map(({ id, kind, path, fault }) => (
        <li key={id}>
          <code>{path}</code> <span>{fault === 'none' ? kind : `${kind}: ${titleOf(fault)}`}</span>
        </li>
      ))}
    </ol>
  )
}

function titleOf(fault: string): string {
  return labFaults.find(({ name }) => name === fault)?.title ?? fault
}
