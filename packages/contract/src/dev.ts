export type { Contract, ContractEntry, EntryKind } from './contract/contractFile.ts'
export {
  type ContractPart,
  contractOfPage,
  type DescribedEntry,
  type Outcome,
  type Reach,
  type RequestOutcomes,
  whoCanReach,
} from './dev/reach.ts'
export { type ContractFile, findNewerFile, readContractFile } from './dev/readContractFile.ts'
export { titlesOfFile } from './dev/titlesOfFile.ts'
