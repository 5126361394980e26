export { RowsPage as default } from '../../shared/rows.tsx'
