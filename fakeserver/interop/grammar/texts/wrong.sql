-- fails with 102
SELECT 1 +
GO
-- fails with 102
SELECT (1 = 1)
GO
-- fails with 102
SELECT Id FROM Orders WHERE Id == 1
GO
-- fails with 102
SELECT Id FROM Orders LIMIT 10
GO
-- fails with 102
SELECT Id, FROM_x Orders, , Name
GO
-- fails with 102
-- antlr: takes a derived table without a name
SELECT Id FROM (SELECT Id FROM Orders)
GO
-- fails with 102
-- antlr: takes it for a function like others
SELECT CAST(1, int)
GO
-- fails with 102
SELECT CONVERT(int)
GO
-- fails with 102
SELECT 1::int
GO
-- fails with 102
SELECT `Id` FROM Orders
GO
-- fails with 102
SELECT Id FROM Orders WHERE Id = ?
GO
-- fails with 102
SELECT TOP Id FROM Orders
GO
-- fails with 102
SELECT Id FROM Orders ORDER BY Id,
GO
-- fails with 102
SELECT Id FROM Orders WHERE Id IN ()
GO
-- fails with 102
SELECT Id FROM Orders WHERE Id IN (1, 2
GO
-- fails with 156
SELECT Id FROM Orders WHERE Id BETWEEN 1 OR 2
GO
-- fails with 102
SELECT Id FROM Orders OFFSET 5 ROWS
GO
-- fails with 102
SELECT Id FROM Orders ORDER BY Id OFFSET 5
GO
-- fails with 102
SELECT Id FROM Orders ORDER BY Id OFFSET 5 ROWS FETCH 5 ROWS ONLY
GO
-- fails with 156
SELECT COUNT(* FROM Orders
GO
-- fails with 102
SELECT Id FROM Orders)
GO
-- fails with 102
DECLARE @a
GO
-- fails with 102
SET @a
GO
-- fails with 102
EXEC sp_help @a = 
GO
-- fails with 102
BEGIN SELECT 1
GO
-- fails with 102
BEGIN TRY SELECT 1 END TRY
GO
-- fails with 102
SELECT Id FROM Orders o JOIN Customers c
GO
-- fails with 102
WITH q AS (SELECT 1 AS a)
GO
-- fails with 156
WITH q (SELECT 1 AS a) SELECT a FROM q
GO
-- fails with 156
SELECT ROW_NUMBER() OVER ORDER BY Id FROM Orders
GO
-- fails with 102
SELECT Id FROM Orders WITH (NOLOCK
GO
-- fails with 102
SELECT 1 AS a b
GO
-- fails with 102
SELECT Id FROM Orders WHERE Name LIKE
GO
-- fails with 102
-- antlr: takes a text alone
WAITFOR '00:00:01'
GO
-- fails with 102
SELECT GETDATE() AT TIME 'UTC'
GO
-- fails with 105
SELECT 'a
GO
-- fails with 105
SELECT [Id FROM Orders
GO
-- fails with 105
SELECT N'it''s FROM Orders
GO
-- fails with 113
SELECT 1 /* and then
GO
-- fails with 153
SELECT Id FROM Orders ORDER BY Id FETCH NEXT 5 ROWS ONLY
GO
-- fails with 156
SELECT FROM Orders
GO
-- fails with 102
SELECT Id FROM
GO
-- fails with 102
SELECT Id Name FROM Orders WHERE
GO
-- fails with 156
SELECT Id FROM Orders WHERE WHERE Id = 1
GO
-- fails with 102
SELECT Id FROM Orders GROUP Id
GO
-- fails with 102
SELECT Id FROM Orders ORDER Id
GO
-- fails with 156
SELECT CASE WHEN Id = 1 THEN 2 FROM Orders
GO
-- fails with 156
SELECT CASE END FROM Orders
GO
-- fails with 102
SELECT Id FROM Orders WHERE Id IS 5
GO
-- fails with 102
SELECT Id FROM Orders WHERE NOT
GO
-- fails with 156
SELECT select FROM Orders
GO
-- fails with 156
SELECT Id FROM table
GO
-- fails with 156
SELECT Id FROM Orders HAVING Id = 1 WHERE Id = 2
GO
-- fails with 102
SELECT Id FROM Orders LEFT Customers ON 1 = 1
GO
-- fails with 156
SELECT * FROM (WITH q AS (SELECT 1 AS a) SELECT a FROM q) AS x
GO
-- fails with 156
SELECT Id AS from FROM Orders
GO
-- fails with 156
IF 1 = 1 ELSE SELECT 1
GO
-- fails with 102
-- antlr: takes an empty block
BEGIN END
GO
-- fails with 156
SELECT Id FROM Orders UNION ORDER BY 1
GO
-- fails with 156
SELECT TOP (5 FROM Orders
GO
-- fails with 102
SET TRANSACTION LEVEL READ COMMITTED
GO
-- fails with 321
-- antlr: knows no list of hints
SELECT Id FROM Orders WITH (NOLOK)
GO
-- fails with 4145
SELECT Id FROM Orders WHERE Id
GO
-- fails with 4145
SELECT Id FROM Orders WHERE 1 AND Id = 1
GO
-- fails with 4145
IF 1 SELECT 1
GO
-- fails with 4145
SELECT Id FROM Orders o JOIN Customers c ON c.Id
