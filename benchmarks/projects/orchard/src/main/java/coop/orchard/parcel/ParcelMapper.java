package coop.orchard.parcel;

import java.util.List;
import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;

@Mapper
public interface ParcelMapper {

    Parcel findById(@Param("id") int id);

    Parcel findAtPosition(@Param("east") double east, @Param("north") double north);

    List<Parcel> findNeighbours(@Param("id") int id, @Param("east") double east, @Param("north") double north);

    List<Variety> searchVariety(@Param("pattern") String pattern, @Param("species") String species);

    int updateTrees(@Param("id") int id, @Param("trees") int trees);

    @Select("SELECT count(*) FROM parcel WHERE member_id = #{memberId}")
    int countOfMember(@Param("memberId") int memberId);

    @Select("SELECT id, name FROM packaging WHERE opaque AND size_mm = '70x65'")
    List<java.util.Map<String, Object>> opaqueFoils();
}
