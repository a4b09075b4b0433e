// Package flags defines the flags that several commands share and parses their
// values: times, project folders, the database.
//
//	--since 2d      two days before now      Moment
//	--project .     the folder as a path     ProjectName
//	--db FILE       else the one of watch    Database
//
// An Add function declares the flags of one thing, and sets the options of the room that
// does it; [Selection] are those that narrow a query. [Advised] adds to an error what can
// be done about it, and [NameWhatIsNear] has commands name what was probably meant.
package flags
