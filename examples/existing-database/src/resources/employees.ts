import { belongsTo, defineResource, hasMany, id } from 'ashlar'
import { table } from 'ashlar/sql'
import { internal } from '../access.js'

export interface EmployeeRow {
  employeeId: number
  lastName: string
  email: string
  reportsTo: number | null
}

export const employees = defineResource('employees', {
  model: table<EmployeeRow>('Employee', { key: 'employeeId' }),
  id: id(),
  attributes: (a) => ({
    lastName: a.string().required().maxLength(20),
    email: a.string().required().maxLength(60).unique().sortable(),
  }),
  relations: {
    reportsTo: belongsTo('employees').via('reportsTo').nullable().filterable(),
    reports: hasMany('employees').via('reportsTo'),
    orders: hasMany('orders'),
  },
  filters: (f) => ({
    email: f.where(),
  }),
  policy: internal,
})
