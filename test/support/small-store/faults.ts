/**
 * What the small store does wrong, one thing at a time, with cases of the conformance suite that notice it. Every case is named
 * with a fault: one that nothing could fail would be worth nothing.
 */
export const faults = {
  'takes 01 for the key 1': [
    'an invalid key finds no row, and 01 is not the key 1',
    'a set of ids finds rows by key and ignores invalid keys',
    'a negated set of ids finds all other rows',
  ],
  'leaves out conditions where it reads one row': ['a row that does not meet a condition is not found'],
  'finds null where it is asked for what is unequal': [
    'null is neither equal nor unequal to a value',
    'a list is unequal to a value if none of its items is equal',
  ],
  'finds null where it is asked for what is in no set': [
    'null is in no set and in no negated set',
    'a list is unequal to a value if none of its items is equal',
  ],
  'leaves the bounds out of ranges': [
    'a range includes both bounds',
    'a range without a bound is open on that side',
    'a range of date-times is exact to the millisecond',
    'a range of dates includes its last day',
  ],
  'minds the case of letters in parts of texts': [
    'contains ignores the case of ASCII letters',
    'startsWith and endsWith ignore the case of ASCII letters',
    'any() finds rows that meet one of its conditions',
    'all() finds rows that meet all of its conditions',
  ],
  'folds letters beyond ASCII in parts of texts': ['contains respects the case of letters beyond ASCII'],
  'takes % and _ for patterns': ['% and _ are no wildcards'],
  'compares moments by the second': [
    'date-times are equal if they are the same instant, in any time zone',
    'date-times are ordered by instant',
    'a cursor works among date-times of the same second',
  ],
  'compares lists as their texts': [
    'a list equals a value if one of its items does',
    'a list is in a set if one of its items is',
    'an update changes only the values that were sent',
  ],
  'takes null for the smallest value': [
    'dates are ordered by day',
    'false is before true',
    'null is the largest value of a text column too',
    'an order works together with the scope of a type',
  ],
  'orders text by UTF-16 units': [
    'text is ordered by code points',
    'descending text is in reverse order',
    'a cursor works in an order of text by code points',
  ],
  'orders text as a dictionary does': [
    'text is compared by code points',
    'an order follows a to-one relation, and a missing member counts as null',
    'cursor pages have only rows in the scope of the type',
    'a cursor stays valid after its row is deleted',
    'a cursor works in an order by a related column',
    'an offset page of related rows is cut after sorting',
  ],
  'orders numbers as texts': [
    'null is in no range',
    'numbers are ordered by value',
    'integers are ordered by value',
    'null is the largest value in an ascending order',
    'null is the largest value in a descending order',
    'rows with equal values are ordered by the next sort, and then by key in the direction of the last sort',
    'an offset page begins at its offset and has the requested number of rows',
  ],
  'begins a page at the place of its cursor': [
    'a cursor page begins after its cursor',
    'a full last cursor page has no next link',
    'a cursor works among equal values',
    'a cursor works before, among and after nulls, ascending',
    'a cursor works before, among and after nulls, descending',
    'a page between two cursors has only rows between them',
    'cursor pages have only rows that meet the conditions',
  ],
  'takes the first rows of all before a cursor': [
    'a cursor page in front of a cursor ends directly before it',
    'a cursor works backwards over nulls and equal values',
  ],
  'counts the page, and not the rows': [
    'the total counts all rows that meet the conditions, on every page',
    'the total of a page of related rows counts all of them',
  ],
  'cuts one window for all parents': ['a window of related rows applies to each parent'],
  'says that nothing follows a window of related rows': [
    'a parent has a next link only if it has more related rows',
    'a cursor works among related rows',
  ],
  'leaves out the conditions of related types': [
    'related rows outside the scope of their type are not returned',
    'only members in the scope of their type are counted',
  ],
  'takes no notice of the types of keys': [
    'a polymorphic key finds the row of its type, or none if the row does not exist',
    'rows with the same key but another type are not members',
    'related rows are read on every level of include',
    'polymorphic join rows find the rows of their types, ordered by type',
    'a polymorphic key is written with its type',
    'a polymorphic member gets the type and the key of its owner',
    'members of several types with the same key are distinct',
  ],
  'asks every row that claims to be the one': [
    'a condition on a to-one relation tests the first of several rows by key',
  ],
  'counts related rows that are not there': ['only members in the scope of their type are counted'],
  'gives the fields of one join row to all': [
    'members with join rows have the fields of their join row',
    'an added member has a join row with its fields, and other join rows are unchanged',
    'a row is created together with its join rows',
  ],
  'forgets in an update what it does not say': [
    'an update changes one row',
    'an update returns the whole row',
    'an update reports unique conflicts like a new row',
  ],
  'creates what it is to update': ['an update of a deleted row returns null and writes no row'],
  'says of every delete that there was a row': ['a delete returns whether the row existed'],
  'keeps milliseconds back': [
    'a row is found by id, with values of every type',
    'a new row is returned as it is stored, with values of every type',
  ],
  'overwrites a row whose key is taken': [
    'a duplicate key is a conflict of kind key',
    'the client gets an error for an id that already exists',
    'a store works after a rollback',
  ],
  'looks at the first column of unique sets only': [
    'a conflict of a unique set names its columns',
    'a member whose foreign key changes reports unique conflicts',
  ],
  'takes null for equal in unique sets': ['null does not conflict, and neither does text that differs in case'],
  'throws an error of its own for what is taken': [
    'a conflict of a unique column names the column',
    'a rejected row is not stored',
    'the client gets an error for the attribute in conflict',
  ],
  'deletes what is pointed at': ['a row that other rows refer to is in use and is not deleted'],
  'adds a second join row for a member': [
    'a replacement leaves exactly the join rows of the members that were sent',
    'a member that is added again keeps one join row, with the new fields',
    'members are added, changed and removed in one call',
  ],
  'removes members of other owners': [
    'a member of another owner is not removed',
    'a removed member loses its join row with this owner only',
  ],
  'changes the join rows of all owners': ['changed fields are written to the join rows of the owner only'],
  'keeps what is undone': [
    'a rollback removes the rows of the transaction',
    'a nested transaction is rolled back with the outer one',
    'the writes of a batch are rolled back together',
  ],
  'reads beside its transactions': [
    'reads in a transaction see its writes',
    'a transaction continues after a conflict in a nested one',
  ],
  'undoes all for a transaction inside': [
    'a nested transaction is rolled back alone, and the outer one continues',
    'a transaction continues after a conflict in a nested one',
  ],
  'keeps what a transaction inside undoes': ['a nested transaction is rolled back alone, and the outer one continues'],
  'answers rows that are created together in another order': [
    'create.batch returns the same rows as single creates, in the same order',
    'rows of create.batch can be read afterwards',
    'create.batch stores rows with the keys that were sent',
    'a batch of additions has the same results as single requests',
  ],
  'leaves some of the rows that it cannot create together': [
    'a batch that gives two rows the same unique value fails at the second row',
    'create.batch writes all rows or none',
  ],
  'meets no condition': ['a row that does not meet a condition is not found'],
  'leaves out all conditions': [
    'text is equal only if all characters are equal',
    'the operator != finds all rows with other values',
    'integers are compared by value',
    'false is not null',
    'dates are equal if they are the same day',
    'a column without an attribute is compared by its stored type',
    'a set finds rows with one of its values',
    'a negated set finds rows with none of its values',
    'isNull finds rows with null, and isNotNull finds the others',
    'a backslash and a quote have no special meaning',
    'a condition follows a to-one relation',
    'a condition follows a to-many relation and needs one matching member',
    'has and doesntHave find rows by a to-one relation',
    'has and doesntHave find rows by a to-many relation',
    'a condition follows a relation with join rows',
    'doesntHave finds rows without join rows',
    'related rows are filtered and sorted',
    'members are filtered by a field of their join rows',
  ],
  'finds a row for every id': ['an unknown id finds no row', 'a deleted row is not found, and other rows still are'],
  'folds the case of keys': ['a text key must match completely, with its case'],
  'takes empty lists for null': [
    'null is returned as null, and an empty list as an empty list',
    'an empty list is not null',
  ],
  'rounds numbers': [
    'numbers are equal by value',
    'numbers are compared by value',
    'zero and negative numbers are found',
    'all conditions must hold',
    'a set of numbers is compared by value',
  ],
  'takes an offset beyond the rows for the first page': ['a page beyond the last row is empty'],
  'says that more follows every window': ['the last page has no next link, even without a total'],
  'orders equal rows by ascending key, whatever the direction is': [
    'integers are ordered by value',
    'null is the largest value in a descending order',
    'rows with equal values are ordered by the next sort, and then by key in the direction of the last sort',
    'an offset page begins at its offset and has the requested number of rows',
    'a cursor works before, among and after nulls, descending',
  ],
  'orders by key the other way round': ['rows without an order are ordered by key'],
  'leaves out all orders': [
    'text keys are ordered by code points',
    'members are sorted by a field of their join rows',
    'a page of members with join rows is cut after sorting',
  ],
  'has nothing to read related rows with': [
    'a row is found by a text key',
    'related rows of several parents are read in one call',
  ],
  'reads related rows of the first parent only': [
    'each parent has its own members, ordered by key, or none',
    'several parents may share a member, and a parent with a null key has none',
    'the member of a to-one relation is the first of several rows by key',
    'members with join rows are read for several parents, and a shared row is returned once',
    'a relation with join rows can be read from the other side',
  ],
  'counts the members of all parents for each': [
    'the members of each parent are counted',
    'members with join rows are counted',
  ],
  'writes nothing': [
    'a new row keeps the key that was sent',
    'an added member refers to its new owner and no longer to the old one',
    'a removed member still exists and refers to no owner',
    'a replacement leaves exactly the members that were sent',
    'committed rows are visible outside the transaction',
  ],
  'gives keys that are taken': ['a new row gets an unused key', 'a foreign key is written with its row'],
  'takes zero for the price that is not said': ['a new row has null for omitted values'],
  'trims texts': ['text is stored unchanged'],
  'takes a row for its own twin': ['a row does not conflict with itself'],
  'lets keys lead nowhere': [
    'a foreign key without a row is a conflict of kind reference',
    'a deleted row that is added as a member is a conflict of kind reference',
  ],
  'fails where it removes what is no member': ['a removal ignores rows that are not members'],
  'forgets what a transaction inside did': [
    'a nested transaction is committed with the outer one',
    'the writes of a batch are committed together',
  ],
  'lets transactions run over each other': ['concurrent transactions all commit their writes'],
  'reads lists beside its transactions': ['lists in a transaction include its writes'],
  'reads related rows beside its transactions': ['related rows in a transaction include its writes'],
  'counts related rows beside its transactions': ['related rows in a transaction include its writes'],
  'throws for rows that it cannot create together, and leaves those before': [
    'a batch that gives two rows the same unique value fails at the second row',
    'create.batch writes all rows or none',
  ],
  'takes null where there must be a value': ['null in a required column is a conflict of kind null'],
  'takes what breaks its rules': [
    'a row that violates a check is a conflict of kind check',
    'the client gets an error for a violated check',
  ],
  'takes values of any kind': ['a value of the wrong type is a conflict of kind value'],
  'finds no backslash': ['a backslash and a quote have no special meaning'],
  'names the first member in conflicts': ['a conflict of one of several members has the key of that member, or no key'],
  'lets others change what is read to be changed': [
    'a row that is read with forChange is changed by one transaction at a time',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type Fault = keyof typeof faults

/** Of faults that a server finds out by itself, or that are errors: what is said then. */
export const saidOf: Readonly<Partial<Record<Fault, string>>> = {
  'takes no notice of the types of keys':
    "The server failed with: The read of 'playlists.items' returned 'artists 1' twice",
  'throws an error of its own for what is taken': 'The server failed with: Duplicate!',
  'adds a second join row for a member': "The server failed with: The read of 'playlists.albums' returned 'albums",
  'has nothing to read related rows with': 'The server cannot be built',
}
